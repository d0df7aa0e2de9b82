"""What the API shows."""
