"""What pages are made of: charts, pictures, selection, downloads, components."""
