"""What every script here begins with: its arguments, and the five csv files of a release's zip.

Each script is started as `python with_PEER.py CONNECTION ZIP...`. The tables are there, in the schema peer, with
their keys and empty: those of cms-rvu, but that source_file_id and source_line may be left out.
"""
import os
import re
import sys
import zipfile

# The entry of each table by how its name begins.
ENTRIES = {
    "rvu": r"PPRRVU",
    "gpci": r"GPCI",
    "locality_county": r"\d\dLOCCO",
    "anesthesia_cf": r"ANES",
    "opps_cap": r"OPPSCAP",
}

# The columns in the order of the csv files.
COLUMNS = {
    "rvu": [
        "hcpcs", "modifier", "description", "status_code", "not_used_for_medicare", "work_rvu", "nonfac_pe_rvu",
        "nonfac_na", "fac_pe_rvu", "fac_na", "mp_rvu", "nonfac_total", "fac_total", "pctc_indicator", "global_days",
        "pre_op", "intra_op", "post_op", "multiple_procedure", "bilateral_surgery", "assistant_surgery",
        "co_surgeons", "team_surgery", "endo_base", "conversion_factor", "diagnostic_supervision",
        "calculation_flag", "diagnostic_imaging_family", "nonfac_pe_opps", "fac_pe_opps", "mp_opps",
    ],
    "gpci": ["mac", "state", "locality", "locality_name", "work_gpci", "pe_gpci", "mp_gpci"],
    "locality_county": ["mac", "locality", "state", "fee_schedule_area", "counties"],
    "anesthesia_cf": ["mac", "locality", "locality_name", "conversion_factor"],
    "opps_cap": ["hcpcs", "modifier", "status_code", "mac", "locality", "facility_price", "nonfacility_price"],
}

# A record has a first field and at least another one, as banners and footnotes have not, and is not the header.
HEADER = r"HCPCS|Contractor|Medicare Admin.*"

# A code of CPT or HCPCS Level II.
CODE = r"[0-9A-Z][0-9]{3}[0-9A-Z]"


def arguments():
    """The connection, as libpq takes it, and the zip files."""
    if len(sys.argv) < 3:
        sys.exit(f"usage: {os.path.basename(sys.argv[0])} CONNECTION ZIP...")
    return sys.argv[1], sys.argv[2:]


def name_of(path):
    """The release of a file: 2025D of RVU25D.zip."""
    found = re.fullmatch(r"RVU(\d\d)([A-D])\.zip", os.path.basename(path))
    if not found:
        sys.exit(f"{path}: no release is in its name")
    return f"20{found[1]}{found[2]}"


def files_of(path):
    """The csv files of a release, by table, as bytes."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.lower().endswith(".csv")]
        files = {}
        for table, pattern in ENTRIES.items():
            found = [name for name in names if re.match(pattern, os.path.basename(name))]
            if len(found) != 1:
                sys.exit(f"{path}: {len(found)} csv files for {table} instead of one")
            files[table] = archive.read(found[0])
        return files
