"""Reports and pictures of runs; matplotlib and jinja2 are imported when they are used."""
