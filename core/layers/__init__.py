"""Several motions on one body ([Gruenvogel2003] sections 4 to 7), and motion models, which answer commands by trees."""
