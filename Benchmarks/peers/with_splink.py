"""The people of a payer's list looked up in an NPPES file by Splink, as its guide has one link two lists.

    with_splink.py NPIDATA.csv LIST.csv TRUTH.csv

The files are those of Benchmarks/matching/lists.py. Names, phone, place and specialty are compared; how often they
agree is estimated from the two files. A record is claimed to be the best of those above a probability, unless two are
equally good. The probability is chosen in Splink's favour, with the truth at hand: the one at which most are right
while of a hundred that are claimed one is wrong at most. Prints how many are claimed, how many of them are right, the
probability, and the seconds of the linking.
"""

import csv
import logging
import re
import sys
import time

import pyarrow
from splink import DuckDBAPI, Linker, SettingsCreator, block_on
from splink import comparison_level_library as level
from splink import comparison_library as compare

THRESHOLDS = [0.5, 0.8, 0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.995, 0.999, 0.9999]


def street(line):
    """House number and first word of the street, which spellings share."""
    found = re.match(r"\s*(\d+[A-Z]?)\s+(?:(?:N|S|E|W|NE|NW|SE|SW|NORTH|SOUTH|EAST|WEST)\b\.?\s+)?(\w+)", line.upper())
    return " ".join(found.groups()) if found else None


def record(key, last, first, phone, line, zip_code, specialty):
    digits = re.sub(r"\D", "", phone)[-10:]
    place = street(line)
    return {
        "unique_id": key, "last_name": re.sub(r"[^A-Z]", "", last.upper()) or None,
        "first_name": re.sub(r"[^A-Z]", "", first.upper()) or None, "phone": digits or None,
        "street": f"{place} {zip_code[:5]}" if place else None, "zip": zip_code[:5] or None,
        "specialty": specialty or None,
    }


def table(records):
    return pyarrow.table({name: [one[name] for one in records] for name in records[0]})


def main():
    providers, people, truth = sys.argv[1:]
    place = "Provider {} Business Practice Location Address"
    with open(providers, newline="") as file:
        known = [
            record(
                row["NPI"], row["Provider Last Name (Legal Name)"], row["Provider First Name"],
                row["Provider Business Practice Location Address Telephone Number"],
                row["Provider First Line Business Practice Location Address"],
                row["Provider Business Practice Location Address Postal Code"],
                row["Healthcare Provider Taxonomy Code_1"])
            for row in csv.DictReader(file) if row["Entity Type Code"] == "1"
        ]
    with open(people, newline="") as file:
        sought = [
            record(
                row["Provider ID"], row["Provider Last"], row["Provider First"], row["Office Phone"],
                row["Office Address 1"], row["Office Zip"], row["Taxonomy"])
            for row in csv.DictReader(file)
        ]
    with open(truth, newline="") as file:
        right = {row["id"]: row["npi"] for row in csv.DictReader(file)}

    begin = time.monotonic()
    settings = SettingsCreator(
        link_type="link_only",
        blocking_rules_to_generate_predictions=[
            block_on("last_name", "first_name"), block_on("phone"), block_on("street"),
            block_on("last_name", "substr(first_name, 1, 1)"), block_on("first_name", "zip"),
            "l.last_name = r.first_name AND l.first_name = r.last_name",
        ],
        comparisons=[
            compare.ForenameSurnameComparison("first_name", "last_name"),
            # Phone, street and ZIP code go together: apart, colleagues would be one person.
            compare.CustomComparison(
                output_column_name="place",
                comparison_levels=[
                    level.And(level.NullLevel("phone"), level.NullLevel("street")),
                    level.And(level.ExactMatchLevel("phone"), level.ExactMatchLevel("street")),
                    level.ExactMatchLevel("phone"), level.ExactMatchLevel("street"), level.ExactMatchLevel("zip"),
                    level.ElseLevel(),
                ]),
            compare.ExactMatch("specialty").configure(term_frequency_adjustments=True),
        ],
    )
    server = DuckDBAPI()
    linker = Linker([server.register(table(known)), server.register(table(sought))], settings, log_level=logging.ERROR)
    linker.training.estimate_probability_two_random_records_match([block_on("last_name", "first_name")], recall=0.7)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e7, seed=1)
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("last_name", "first_name"))
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("phone"))
    pairs = linker.inference.predict(threshold_match_probability=THRESHOLDS[0]).as_record_list()
    seconds = round(time.monotonic() - begin, 3)
    results = [claimed(pairs, threshold, right) for threshold in THRESHOLDS]
    fit = [result for result in results if result["right"] >= 0.99 * result["claimed"]]
    chosen = max(fit or results, key=lambda result: result["right"])
    print(chosen["claimed"], chosen["right"], chosen["threshold"], seconds)


def claimed(pairs, threshold, right):
    """Which record each of the list is claimed to be."""
    best = {}
    for pair in pairs:
        if pair["match_probability"] >= threshold:
            one, other = pair["unique_id_l"], pair["unique_id_r"]
            key, npi = (one, other) if one in right else (other, one)
            best.setdefault(key, []).append((pair["match_probability"], npi))
    chosen = {}
    for key, found in best.items():
        found.sort(reverse=True)
        if len(found) == 1 or found[0][0] > found[1][0]:
            chosen[key] = found[0][1]
    return {
        "threshold": threshold, "claimed": len(chosen), "right": sum(right[key] == npi for key, npi in chosen.items()),
    }


if __name__ == "__main__":
    main()
