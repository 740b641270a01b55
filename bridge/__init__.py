"""The only translators between Blender's data and core: actions, rigs, properties, the live session."""
