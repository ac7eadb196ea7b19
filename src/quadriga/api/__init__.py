"""The public interface behind `import quadriga`: plain Python values over the contract of `core`.

docs/reference/python.md lists every name. Nothing here is imported before it is used.
"""
