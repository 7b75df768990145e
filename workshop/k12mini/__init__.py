"""The workshop of K12-Mini: problem sources and drawings. See README.md."""
