#!/usr/bin/env python3
"""All solutions of an exported 0-1 model by HiGHS and by CP-SAT, one thread.

    python3 benches/peers/rows.py SOLVERS SECONDS MODEL.mps

SOLVERS is `highs`, `cp-sat` or both with a comma. HiGHS solves the model again after each no-good cut
over the placements; CP-SAT enumerates. Prints the seconds that each takes, without reading the file, or
`-` if it does not finish in time. `cargo bench -- milp` calls it. Needs highspy and ortools.
"""
import os, sys, time


def highs(file, limit):
    import highspy
    solver = highspy.Highs()
    solver.silent()
    solver.setOptionValue("threads", 1)
    solver.readModel(file)
    placements = [i for i, name in enumerate(solver.getLp().col_names_) if name.startswith("x_")]
    started = time.process_time()
    while True:
        left = limit - (time.process_time() - started)
        if left <= 0:
            return None
        solver.setOptionValue("time_limit", solver.getRunTime() + left)
        solver.run()
        status = solver.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return time.process_time() - started
        if status != highspy.HighsModelStatus.kOptimal:
            return None
        values = solver.getSolution().col_value
        ones = [i for i in placements if values[i] > 0.5]
        solver.addRow(-highspy.kHighsInf, len(ones) - 1, len(ones), ones, [1.0] * len(ones))


def cp_sat(file, limit):
    from ortools.linear_solver.python import model_builder
    from ortools.sat.python import cp_model
    read = model_builder.Model()
    read.import_from_mps_file(file)
    proto = read.export_to_proto()
    model = cp_model.CpModel()
    columns = [model.new_bool_var(column.name) for column in proto.variable]
    for row in proto.constraint:
        terms = sum(int(c) * columns[i] for i, c in zip(row.var_index, row.coefficient))
        low, high = row.lower_bound, row.upper_bound
        bounds = (max(low, -2**40), min(high, 2**40))
        model.add_linear_constraint(terms, int(bounds[0]), int(bounds[1]))
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = limit
    started = time.process_time()
    status = solver.solve(model)
    return time.process_time() - started if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE) else None


SOLVERS = {"highs": highs, "cp-sat": cp_sat}
names, limit, file = sys.argv[1:]
# HiGHS prints its version even if it is silent.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
for name in names.split(","):
    seconds = SOLVERS[name](file, float(limit))
    print("-" if seconds is None else f"{seconds:.6f}", file=answers, flush=True)
