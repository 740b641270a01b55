"""Many motions on one body ([Gruenvogel2003] sections 4 to 7): motion models, which answer commands by motion trees."""
