"""The mixed-integer programme of controlled adjustment (Castro 2006): which sensitive cells go up, which down."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import block_array, csr_array, diags_array, hstack

from confide.tables.audit.model import pass_model, solver
from confide.tables.perturb.programme import Effort
from confide.tables.perturb.swing import Swing
from confide.typing import BoolArray, FloatArray


class Switched(NamedTuple):
    """What the programme gave."""

    upward: BoolArray | None
    """The directions; None: none found."""
    bound: float
    """The distance that every adjustment has at least."""
    proven: bool
    """Whether no other is nearer, up to the gap, or it is proven that there is none."""


def best_directions(swing: Swing, effort: Effort, start: tuple[FloatArray, BoolArray] | None = None) -> Switched:
    """Search the directions with the least change; start: changes and directions to begin with."""
    import highspy

    n, m = swing.system.n, swing.sensitive.size
    a, s, unit = swing.system.equations, swing.sensitive, swing.unit
    heavy = max(float(swing.weights.max(initial=0.0)), 1e-300)
    much = swing.much()
    far_up, far_down = np.minimum(swing.high, np.inf), -swing.low
    far_up[s] = np.where(np.isinf(swing.up), 0.0, np.minimum(far_up[s], much)) / unit
    far_down[s] = np.where(np.isinf(swing.down), 0.0, np.minimum(far_down[s], much)) / unit
    rest = np.setdiff1d(np.arange(n), s)
    far_up[rest], far_down[rest] = far_up[rest] / unit, far_down[rest] / unit
    up = np.where(np.isinf(swing.up), 0.0, swing.up) / unit
    down = np.where(np.isinf(swing.down), 0.0, swing.down) / unit
    pick = csr_array((np.ones(m), (np.arange(m), s)), shape=(m, n))
    none = csr_array((m, n))
    matrix = csr_array(
        block_array(
            [
                [a, -a, None],
                [pick, none, -diags_array(up)],
                [pick, none, -diags_array(far_up[s])],
                [none, pick, diags_array(down)],
                [none, pick, diags_array(far_down[s])],
            ]
        )
        if m
        else hstack([a, -a])
    )
    zero, endless = np.zeros(a.shape[0]), np.full(m, np.inf)
    row_low = np.concatenate([zero, np.zeros(m), -endless, down, -endless])
    row_high = np.concatenate([zero, endless, np.zeros(m), endless, far_down[s]])
    cost = np.concatenate([swing.weights, swing.weights, np.zeros(m)]) / heavy
    low = np.concatenate([np.zeros(2 * n), np.isinf(swing.down).astype(np.float64)])
    high = np.concatenate([far_up, far_down, np.isfinite(swing.up).astype(np.float64)])
    h = solver(effort.seconds)
    h.setOptionValue("mip_rel_gap", effort.gap)
    h.setOptionValue("mip_feasibility_tolerance", 1e-9)
    if effort.nodes is not None:
        h.setOptionValue("mip_max_nodes", effort.nodes)
    pass_model(h, matrix, (cost, low, high), (row_low, row_high))
    if m:
        h.changeColsIntegrality(m, np.arange(2 * n, 2 * n + m, dtype=np.int32), np.full(m, highspy.HighsVarType.kInteger))
    if start is not None:
        given = highspy.HighsSolution()
        d = start[0] / unit
        given.col_value = np.concatenate([np.maximum(d, 0), np.maximum(-d, 0), start[1].astype(np.float64)]).tolist()
        h.setSolution(given)
    h.run()
    status, info = h.getModelStatus(), h.getInfo()
    if status == highspy.HighsModelStatus.kInfeasible:
        return Switched(None, np.inf, True)
    there = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    upward = np.array(h.getSolution().col_value)[2 * n :] > 0.5 if there else None
    bound = float(info.mip_dual_bound if m else info.objective_function_value) * heavy * unit
    return Switched(upward, bound if np.isfinite(bound) else 0.0, status == highspy.HighsModelStatus.kOptimal)
