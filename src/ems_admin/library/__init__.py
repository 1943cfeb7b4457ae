"""A site for other programs: what every route does, as one method, with the same refusals.

`Looking` reads, and is all that there is of a site that somebody else owns; what a site can be asked to do stands in
the rooms of `acting.py`. `ems_admin.site` opens either. Source: `site.md` 10 (Library).
"""
