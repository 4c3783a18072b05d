"""Metal-organic frameworks."""
