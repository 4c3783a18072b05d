"""What is asked of a molecule: forms, definitions, estimates."""
