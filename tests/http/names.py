"""How a route is called in the name of a test."""

from ems_admin.http.route import Route


def name_of(route: Route) -> str:
    return f"{route.method} {route.path}"
