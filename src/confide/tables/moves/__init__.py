"""Changes of cells that keep all sums: how they are found, along cubes and by linear programmes."""
