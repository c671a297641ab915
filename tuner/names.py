"""Names of the files of a run folder."""

JOB, METRICS, CHECKPOINT = "job.toml", "metrics.jsonl", "checkpoint.npz"
WEIGHTS, TABLE, ROUNDED, SUMMARY = "weights.json", "weights.csv", "rounded.json", "summary.json"
LOSSES, PIECES = "losses.csv", "pieces.csv"
TERMS, CALIBRATION, RESIDUALS, WORST = "terms.csv", "calibration.csv", "residuals.csv", "worst.csv"
INFERENCE, COVARIANCE = "inference.json", "covariance.npz"
REPORT = "report.html"
