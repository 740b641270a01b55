"""Where the panels stand."""


class Viewport:
    """Mixin of a panel in our tab of the 3D viewport's sidebar."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Verbs"
