"""The five tables of a release as cleaned frames of polars: what the scripts for polars and for dlt load."""
import io

import polars as pl

from releases import CODE, COLUMNS, HEADER

TWO_PLACES = pl.Decimal(8, 2)
TYPES = {
    **{name: TWO_PLACES for name in COLUMNS["rvu"] if name.endswith(("_rvu", "_total", "_opps"))},
    **{name: pl.Decimal(4, 2) for name in ("pre_op", "intra_op", "post_op")},
    **{name: pl.Decimal(6, 3) for name in ("work_gpci", "pe_gpci", "mp_gpci")},
    **{name: pl.Decimal(10, 2) for name in ("facility_price", "nonfacility_price")},
    "conversion_factor": pl.Decimal(8, 4),
}


class Refused(Exception):
    """A rule of a release is broken."""


def read(table, data):
    """The records of a csv file: trimmed, blank fields null, leading zeros restored, numbers as such."""
    names = COLUMNS[table]
    frame = pl.read_csv(io.BytesIO(data), has_header=False, infer_schema=False, new_columns=names)
    trimmed = {name: pl.col(name).str.strip_chars() for name in names}
    cleaned = []
    for name, field in trimmed.items():
        if name in TYPES:
            # A field that is no number is an error.
            value = field.replace("", None).cast(TYPES[name])
        elif name in ("mac", "locality"):
            value = field.str.zfill(5 if name == "mac" else 2)
        elif name in ("nonfac_na", "fac_na"):
            value = field.fill_null("") == "NA"
        elif name == "modifier":
            value = field.fill_null("")
        else:
            value = field.replace("", None)
        cleaned.append(value.alias(name))
    first, *others = trimmed.values()
    is_record = (
        first.fill_null("").str.contains(f"^(?:{HEADER}|)$").not_()
        & pl.any_horizontal(other.fill_null("") != "" for other in others))
    return frame.filter(is_record).select(cleaned)


def clean(release, files):
    """The frames of a release, each with the columns of its table."""
    frames = {table: read(table, files[table]) for table in COLUMNS}
    everyone = pl.lit("all").alias("cf_class")
    frames["rvu"] = frames["rvu"].select(everyone, pl.all())
    frames["anesthesia_cf"] = frames["anesthesia_cf"].select(everyone, pl.all())
    # The state is on the first record of its block only.
    frames["locality_county"] = (
        frames["locality_county"].with_row_index("row", 1)
        .with_columns(pl.col("row").cast(pl.Int32), pl.col("state").forward_fill()))
    frames["opps_cap"] = without_copies(frames["opps_cap"], frames["gpci"])
    return {table: frame.select(pl.lit(release).alias("release"), pl.all()) for table, frame in frames.items()}


def without_copies(caps, gpci):
    """OPPSCAP without the rows that repeat, under a contractor that does not have the locality, the row of the
    contractor of the same state that does."""
    place = gpci.select("mac", "locality", "state")
    states = place.group_by("state").agg(pl.col("mac").unique()).filter(pl.col("mac").list.len() > 1).explode("mac")
    at_home = caps.join(place, on=["mac", "locality"], how="inner")
    away = caps.join(place, on=["mac", "locality"], how="anti").join(states, on="mac", how="inner")
    same = [name for name in caps.columns if name != "mac"] + ["state"]
    copies = away.join(at_home, on=same, how="semi")
    return caps.join(copies, on=caps.columns, how="anti")


def check(frames):
    """The rules that are an expression, a join or a filter away. Throws where one is broken."""
    rvu, gpci, caps = frames["rvu"], frames["gpci"], frames["opps_cap"]
    place = ["mac", "locality"]
    parts = pl.col("work_rvu") + pl.col("mp_rvu")
    has_cap = (pl.col("nonfac_pe_opps") != 0) | (pl.col("fac_pe_opps") != 0) | (pl.col("mp_opps") != 0)
    capped = rvu.filter(has_cap).select("hcpcs", "modifier", "status_code")
    found = {
        "codes that are none": (rvu.filter(~pl.col("hcpcs").str.contains(f"^{CODE}$")), 0),
        "localities that are no numbers": (
            gpci.filter(~(pl.col("mac") + pl.col("locality")).str.contains("^[0-9]{7}$")), 0),
        "totals that do not add up": (
            rvu.filter(
                (parts + pl.col("nonfac_pe_rvu") != pl.col("nonfac_total"))
                | (parts + pl.col("fac_pe_rvu") != pl.col("fac_total"))), 0),
        "rows without the values of the cap": (
            rvu.filter(pl.any_horizontal(pl.col("nonfac_pe_opps", "fac_pe_opps", "mp_opps").is_null())), 0),
        "localities without indices": (frames["locality_county"].join(gpci, on=place, how="anti"), 3),
        "indices without counties": (gpci.join(frames["locality_county"], on=place, how="anti"), 3),
        "indices without an anaesthesia factor": (gpci.join(frames["anesthesia_cf"], on=place, how="anti"), 3),
        "anaesthesia factors without indices": (frames["anesthesia_cf"].join(gpci, on=place, how="anti"), 3),
        "caps without indices": (caps.join(gpci, on=place, how="anti"), 500),
        "caps of unknown codes": (caps.join(capped, on=capped.columns, how="anti"), 500),
    }
    for rule, (rows, allowed) in found.items():
        if rows.height > allowed:
            raise Refused(f"{rows.height} {rule}")
