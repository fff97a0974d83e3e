# The tables of the five systems, without rows.
rivulet migrate up --quiet > made.txt
