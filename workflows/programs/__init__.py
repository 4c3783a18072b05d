"""Programs and foreign code that run in processes of their own."""
