"""What any energy surface has: stationary points, constraints on the way there, vibrations."""
