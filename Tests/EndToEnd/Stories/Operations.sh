# A project whose twelfth run is the one to report: eleven dry runs, and one that is published.
rivulet migrate up --quiet > made.txt
rivulet sample cms-rvu --release 2025D --rows 400 -o RVU25D.zip >> made.txt
for _ in 1 2 3 4 5 6 7 8 9 10 11; do rivulet run cms-rvu RVU25D.zip --dry-run --quiet >> made.txt; done
rivulet run cms-rvu RVU25D.zip --quiet >> made.txt
# In place of the program that sends a mail: the mail's subject and its first lines.
mail() { echo "to $3: $2"; head -n 3; }
