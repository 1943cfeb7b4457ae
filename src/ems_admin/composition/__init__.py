"""What a site is made of: every port with the adapter that stands behind it, on either engine.

Composed here alone, whoever then owns the site, only looks at it, or walks its replacement. Source: DESIGN 1.
"""
