"""How the documentation is built: bash scripts/environment docs; sphinx-build -W -b html docs docs/_build/html."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import confide

project = "confide"
author = "The confide maintainers"
copyright = "The confide maintainers, Apache-2.0"
version = release = confide.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["deflist", "colon_fence"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "outputs"]
source_suffix = {".md": "markdown"}
default_role = "code"
add_module_names = False
python_use_unqualified_type_names = True
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_preserve_defaults = True
autodoc_class_signature = "separated"
napoleon_use_rtype = False
smartquotes_action = "D"
html_theme = "pydata_sphinx_theme"
html_title = "confide"
html_static_path = ["_static"]
html_css_files = ["confide.css"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"**": ["sidebar-all"]}
html_theme_options = {
    "logo": {"text": "confide"},
    "navbar_start": ["navbar-logo"],
    "navbar_center": [],
    "navbar_end": ["theme-switcher"],
    "navbar_persistent": ["search-button"],
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": True,
    "footer_start": ["copyright"],
    "footer_end": [],
    "navigation_with_keys": False,
}
templates_path = ["_templates"]


def trim(_app, doctree):
    """Take empty lines off the ends of included code and output."""
    from docutils import nodes

    for block in doctree.findall(nodes.literal_block):
        block.rawsource = block.astext().strip("\n")
        block.children = []
        block.append(nodes.Text(block.rawsource))


def setup(app):
    """Register the event."""
    app.connect("doctree-read", trim)
