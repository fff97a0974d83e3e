"""Makes a payer's list of people in an NPPES file, each written in another way, and of people who are not.

    lists.py NPIDATA.csv OUT --perturbed 600 --strange 500 --seed 1

OUT gets three files: the NPPES file without the strangers that were taken out of it, the list in the layout
'payer-network' of the pipeline directory-csv, and truth.csv, with the list's Provider ID, the kind and the NPI
('' of a stranger). The same file, numbers and seed give the same bytes.
"""

import argparse
import csv
import random
import string

LAST = "Provider Last Name (Legal Name)"
FIRST = "Provider First Name"
PLACE = "Provider {} Business Practice Location Address"
LINE = "Provider First Line Business Practice Location Address"
UNIT = "Provider Second Line Business Practice Location Address"
CITY = "Provider Business Practice Location Address City Name"
STATE = "Provider Business Practice Location Address State Name"
ZIP = "Provider Business Practice Location Address Postal Code"
PHONE = "Provider Business Practice Location Address Telephone Number"
TAXONOMY = "Healthcare Provider Taxonomy Code_1"

KINDS = [
    "exact", "swapped", "initial", "no phone", "address written otherwise", "nickname", "hyphen",
    "typo in the last name", "typo in the first name", "married", "moved",
]

# How people whose names the sample has are called.
NICKNAMES = {
    "ARCHIBALD": "ARCHIE", "BARTHOLOMEW": "BART", "CORNELIUS": "NEIL", "LEOPOLD": "LEO", "FLORA": "FLO",
    "BERNADETTE": "BERNIE", "CLEMENTINE": "CLEM", "ANNELIESE": "ANNIE", "GRETA": "GRETCHEN", "THEO": "THEODORE",
    "TESSA": "TERESA", "ROSA": "ROSIE", "NADIA": "NADINE", "BELLA": "ISABELLA", "LENA": "HELENA",
    "WANDA": "WENDY", "DEMETRIUS": "DEMI", "VIKTOR": "VIC", "FELIX": "FEE", "DELPHINE": "DEL",
    "QUENTIN": "QUINN", "MILO": "MILES", "EDNA": "EDDIE", "KARLA": "KAY", "ABEL": "ABE", "OLIVE": "OLLIE",
}

KIND_OF_STREET = {
    "ST": "STREET", "AVE": "AVENUE", "RD": "ROAD", "BLVD": "BOULEVARD", "DR": "DRIVE", "LN": "LANE",
    "STREET": "ST.", "AVENUE": "AVE.", "ROAD": "RD", "DRIVE": "DR", "PKWY": "PARKWAY", "WAY": "WY",
}

HEADER = [
    "Provider ID", "NPI", "Provider Type", "Group Name", "Provider Last", "Provider First", "Title",
    "Office Address 1", "Office Address 2", "Office City", "Office State", "Office Zip", "Office Phone",
    "Office Fax", "Taxonomy",
]


def typo(name, rng):
    """The name with a letter changed, lost, doubled, or two of them in each other's place."""
    while True:
        place = rng.randrange(1, len(name))
        way = rng.choice(["change", "lose", "double", "turn"])
        if way == "change":
            made = name[:place] + rng.choice(string.ascii_uppercase) + name[place + 1:]
        elif way == "lose":
            made = name[:place] + name[place + 1:]
        elif way == "double":
            made = name[:place] + name[place] + name[place:]
        else:
            if place + 1 == len(name):
                continue
            made = name[:place] + name[place + 1] + name[place] + name[place + 2:]
        if made != name:
            return made


def written_otherwise(line):
    words = line.split()
    words[-1] = KIND_OF_STREET.get(words[-1], words[-1])
    return " ".join(words).title()


class Lists:
    def __init__(self, people, rng):
        self.people = people
        self.rng = rng
        self.rows = []
        self.truth = []

    def place(self, person):
        return {key: person[key] for key in (LINE, UNIT, CITY, STATE, ZIP, PHONE)}

    def add(self, kind, npi, last, first, place, taxonomy):
        number = f"P{len(self.rows) + 1:05}"
        self.rows.append([
            number, "", "I", "", last, first, "MD", place[LINE], place[UNIT], place[CITY], place[STATE],
            place[ZIP][:5], place[PHONE], "", taxonomy])
        self.truth.append([number, kind, npi])

    def perturbed(self, kind, person):
        rng = self.rng
        last, first, place = person[LAST], person[FIRST], self.place(person)
        if kind == "swapped":
            last, first = first, last
        elif kind == "initial":
            first = first[0]
        elif kind == "no phone":
            place[PHONE] = ""
        elif kind == "address written otherwise":
            place[LINE], place[UNIT] = written_otherwise(place[LINE]), ""
        elif kind == "nickname":
            first = NICKNAMES[first]
        elif kind == "hyphen":
            last = f"{last}-{rng.choice(self.people)[LAST]}"
        elif kind == "typo in the last name":
            last = typo(last, rng)
        elif kind == "typo in the first name":
            first = typo(first, rng)
        elif kind == "married":
            last = rng.choice(self.people)[LAST]
        elif kind == "moved":
            place = self.place(rng.choice(self.people))
            place[PHONE] = place[PHONE][:6] + f"{rng.randrange(10000):04}"
            place[LINE] = f"{rng.randrange(1, 9800)} {place[LINE].split(' ', 1)[1]}"
        self.add(kind, person["NPI"], last, first, place, person[TAXONOMY])

    def stranger(self, number, person):
        """Somebody who was taken out of the file: as he is, or where somebody in the file is, or is called alike."""
        other = self.rng.choice(self.people)
        last, first, place, taxonomy = person[LAST], person[FIRST], self.place(person), person[TAXONOMY]
        kind = ["stranger", "stranger", "colleague", "relative", "namesake"][number % 5]
        if kind in ("colleague", "relative"):
            place = self.place(other)
        if kind == "relative":
            last = other[LAST]
            if first == other[FIRST]:
                first = "ZACHARIAH"
        elif kind == "namesake":
            last, first = other[LAST], other[FIRST]
            if taxonomy == other[TAXONOMY]:
                taxonomy = "207RC0001X"
        self.add(kind, "", last, first, place, taxonomy)


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("file")
    words.add_argument("out")
    words.add_argument("--perturbed", type=int, default=600)
    words.add_argument("--strange", type=int, default=500)
    words.add_argument("--seed", type=int, default=1)
    asked = words.parse_args()
    rng = random.Random(asked.seed)
    with open(asked.file, newline="") as file:
        reader = csv.DictReader(file)
        header, records = reader.fieldnames, list(reader)
    people = [r for r in records if r["Entity Type Code"] == "1" and r[TAXONOMY]]
    rng.shuffle(people)
    strangers, people = people[:asked.strange], people[asked.strange:]
    lists = Lists(people, rng)
    nicknamed = (person for person in people[::-1] if person[FIRST] in NICKNAMES)
    chosen = iter(people)
    for number in range(asked.perturbed):
        kind = KINDS[number % len(KINDS)]
        lists.perturbed(kind, next(nicknamed if kind == "nickname" else chosen))
    for number, person in enumerate(strangers):
        lists.stranger(number, person)

    gone = {person["NPI"] for person in strangers}
    with open(f"{asked.out}/npidata_pfile_20050523-20251109.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, header, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writeheader()
        writer.writerows(record for record in records if record["NPI"] not in gone)
    with open(f"{asked.out}/alder-plan-2025-11-15.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER] + lists.rows)
    with open(f"{asked.out}/truth.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([["id", "kind", "npi"]] + lists.truth)


if __name__ == "__main__":
    main()
