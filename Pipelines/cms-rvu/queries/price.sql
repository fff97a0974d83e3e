/* rivulet query
description: Medicare payment of a code in a locality, a row per modifier of the code
parameters:
  hcpcs: {type: text, required: true, description: CPT or HCPCS code}
  modifier: {type: text, description: "26, TC or 53, or '' for the global service; all of them if left out"}
  locality: {type: text, description: "contractor and locality number, as 01112-05"}
  zip: {type: text, description: "ZIP code, in place of the locality; needs the files of cms-zip5"}
  plus_four: {type: text, needs: zip, description: "the four digits after the ZIP code"}
  date: {type: date, description: "date of service; the current release if left out"}
  cf_class: {type: text, description: "qp or non_qp, from 2026; both if left out"}
exactly_one: [locality, zip]
current: {of: cms-rvu, unless: date}
receipt:
  title: '{hcpcs} {modifier} {rivulet_description}'
  lines:
    Non-facility: '${nonfacility_amount} = {rivulet_nonfacility}'
    Facility: '${facility_amount} = {rivulet_facility}'
    Limiting charge: '${nonfacility_limiting_charge} non-facility, ${facility_limiting_charge} facility'
    No amount: '{reason}'
    Locality: '{mac}-{locality} {rivulet_place}'
    Release: '{release}, in effect {rivulet_effective}'
    Class: '{rivulet_class}'
    Notes: '{notes}'
example: rivulet query price --hcpcs 99213 --locality 01112-05
*/
WITH asked AS MATERIALIZED (
  SELECT upper(trim({hcpcs})) AS hcpcs,
    upper(trim({modifier})) AS modifier,
    lower(trim({cf_class})) AS cf_class,
    CASE WHEN doubt.reason IS NULL THEN place.mac END AS mac,
    CASE WHEN doubt.reason IS NULL THEN place.locality END AS locality,
    coalesce({locality}, place.mac || '-' || place.locality) AS place,
    doubt.reason AS doubt,
    CASE WHEN {zip} IS NOT NULL AND zips.release IS NOT NULL AND found.zip IS NULL THEN concat(
      format('%s is not a ZIP code of the file of %s', zips.zip, zips.release),
      '; the nearest are ' || (
        SELECT string_agg(near.zip, ', ' ORDER BY near.zip) FROM (
          (SELECT zip FROM cms.zip_locality WHERE release = zips.release AND zip < zips.zip ORDER BY zip DESC LIMIT 2)
          UNION ALL
          (SELECT zip FROM cms.zip_locality WHERE release = zips.release AND zip > zips.zip ORDER BY zip LIMIT 1)
        ) near)) END AS refusal,
    CASE WHEN left(chosen.release, 5) <> zips.release
      THEN format('locality of ZIP code %s by the file of %s', zips.zip, zips.release) END AS zip_note,
    chosen.release,
    chosen.effective_from,
    chosen.effective_to,
    chosen.missing_tables
  FROM (
    SELECT trim(split_part({locality}, '-', 1)) AS mac, trim(split_part({locality}, '-', 2)) AS locality,
      trim(split_part({zip}, '-', 1)) AS zip, trim(coalesce({plus_four}, split_part({zip}, '-', 2))) AS plus_four
  ) given
  LEFT JOIN LATERAL (
    SELECT release, effective_from, effective_to, missing_tables
    FROM cms.release
    WHERE CASE
      WHEN {date} IS NULL THEN is_current
      ELSE {date} >= effective_from AND {date} <= coalesce(effective_to, 'infinity')
    END
    ORDER BY effective_from DESC, release DESC  -- a correction takes over from its own date
    LIMIT 1
  ) chosen ON true
  LEFT JOIN LATERAL (
    SELECT release, lpad(given.zip, greatest(length(given.zip), 5), '0') AS zip
    FROM cms.zip_release
    WHERE CASE WHEN {date} IS NULL THEN is_current ELSE {date} >= effective_from END
    ORDER BY effective_from DESC  -- a file holds until the next
    LIMIT 1
  ) zips ON {zip} IS NOT NULL
  LEFT JOIN cms.zip_locality found ON found.release = zips.release AND found.zip = zips.zip
  CROSS JOIN LATERAL (
    -- Leading zeros may be missing, as in some of the publisher's own files.
    SELECT coalesce(found.mac, lpad(given.mac, greatest(length(given.mac), 5), '0')) AS mac,
      coalesce(found.locality, lpad(given.locality, greatest(length(given.locality), 2), '0')) AS locality
  ) place
  CROSS JOIN LATERAL (
    SELECT CASE
      WHEN {zip} IS NULL THEN NULL
      WHEN zips.release IS NULL THEN concat(
        'no published ZIP code file holds ', coalesce(to_char({date}, '"on" YYYY-MM-DD'), 'today'),
        '; load one by rivulet run cms-zip5, or give the locality')
      WHEN given.plus_four <> '' AND given.plus_four !~ '^[0-9]{4}$' THEN
        format('%s is not the four digits after a ZIP code', given.plus_four)
      WHEN found.plus_four_flag = '1' THEN concat(
        'ZIP code ', zips.zip, ' lies in more than one locality: the four digits after it',
        CASE WHEN given.plus_four <> '' THEN format(' (%s)', given.plus_four) END,
        ' decide by a file that is not loaded; give the locality')
    END AS reason
  ) doubt
)
SELECT asked.hcpcs, r.modifier, asked.release, r.cf_class, asked.mac, asked.locality,
  CASE WHEN r.status_code = 'J' THEN anesthesia.factor ELSE r.conversion_factor END AS conversion_factor,
  p.nonfacility_amount, p.facility_amount, p.nonfacility_limiting_charge, p.facility_limiting_charge,
  coalesce(p.cap_applied, false) AS cap_applied,
  CASE
    WHEN p.hcpcs IS NOT NULL THEN p.reason
    WHEN asked.release IS NULL THEN
      concat('no published release is in effect ', coalesce(to_char({date}, '"on" YYYY-MM-DD'), 'today'))
    WHEN asked.cf_class NOT IN ('qp', 'non_qp', 'all') THEN
      format('%s is not a conversion factor class; they are qp and non_qp, from 2026', asked.cf_class)
    WHEN r.hcpcs IS NULL THEN
      CASE WHEN EXISTS (
          SELECT FROM cms.rvu other WHERE other.release = (SELECT release FROM asked) AND other.hcpcs = asked.hcpcs)
        THEN concat(
          format('%s has no row of %s', asked.release, asked.hcpcs),
          CASE WHEN asked.modifier = '' THEN ' without a modifier'
            WHEN asked.modifier <> '' THEN format(' with modifier %s', asked.modifier) END,
          CASE WHEN asked.cf_class <> 'all' THEN format(' for class %s', asked.cf_class) END,
          '; ' || quarantined.reason)
        END
    WHEN r.status_code = 'J' THEN concat(
      'status J, ', cms.status_meaning('J'),
      CASE
        WHEN asked.doubt IS NOT NULL THEN '; ' || asked.doubt
        WHEN anesthesia.factor IS NULL
          THEN format('; %s has no anaesthesia conversion factor for %s', asked.release, asked.place)
        ELSE format(': (base units + minutes / 15) x %s', trim_scale(anesthesia.factor)) END)
    WHEN r.status_code = 'R' AND NOT is_paid THEN
      'status R, restricted coverage: if covered, the Medicare contractor sets the amount'
    WHEN NOT is_paid THEN concat(
      'status ', r.status_code, ', ', cms.status_meaning(r.status_code),
      CASE WHEN r.not_used_for_medicare IS NOT NULL
        THEN '; its relative value units are not used for Medicare payment' END)
    WHEN asked.doubt IS NOT NULL THEN asked.doubt
    ELSE format('%s came without geographic indices (GPCI)', asked.release)
  END AS reason,
  nullif(concat_ws('; ',
    asked.zip_note,
    CASE WHEN r.status_code = 'C' AND cap.hcpcs IS NOT NULL THEN format(
      'OPPS cap: at most %s non-facility, %s facility', cap.nonfacility_price, cap.facility_price) END,
    CASE WHEN p.hcpcs IS NOT NULL THEN concat_ws('; ',
      CASE WHEN r.status_code IN ('R', 'T') THEN cms.status_meaning(r.status_code) END,
      CASE WHEN r.nonfac_na THEN 'rarely or never performed in the non-facility setting' END,
      CASE WHEN r.fac_na THEN 'rarely or never performed in the facility setting' END,
      CASE r.multiple_procedure
        WHEN '1' THEN 'multiple procedure reduction (51) not applied'
        WHEN '2' THEN 'multiple procedure reduction (51) not applied'
        WHEN '3' THEN format('multiple endoscopy reduction (family of %s) not applied', r.endo_base)
        WHEN '4' THEN 'multiple diagnostic imaging reduction not applied'
        WHEN '5' THEN 'multiple therapy reduction of practice expense not applied'
        WHEN '6' THEN 'multiple diagnostic cardiovascular reduction not applied'
        WHEN '7' THEN 'multiple diagnostic ophthalmology reduction not applied'
      END,
      CASE r.bilateral_surgery
        WHEN '1' THEN 'bilateral adjustment (50), 150 per cent, not applied'
        WHEN '2' THEN 'amount is already for both sides'
        WHEN '3' THEN 'amount is for one side; both sides (50) are paid in full'
      END,
      CASE r.assistant_surgery
        WHEN '0' THEN
          CASE WHEN r.global_days <> 'XXX' THEN 'assistant at surgery paid a share only if documented' END
        WHEN '2' THEN 'assistant at surgery paid a share'
      END,
      CASE r.co_surgeons
        WHEN '1' THEN 'co-surgeons (62) paid a share each only if documented'
        WHEN '2' THEN 'co-surgeons (62) paid a share each'
      END,
      CASE r.team_surgery
        WHEN '1' THEN 'team surgery (66) paid by report only if documented'
        WHEN '2' THEN 'team surgery (66) paid by report'
      END,
      CASE WHEN g.work_gpci_no_floor <> g.work_gpci THEN format(
        'work index %s is a floor; %s without it', g.work_gpci, g.work_gpci_no_floor) END)
    END), '') AS notes,
  CASE
    WHEN asked.release IS NULL THEN NULL
    WHEN NOT EXISTS (
      SELECT FROM cms.rvu other WHERE other.release = (SELECT release FROM asked) AND other.hcpcs = asked.hcpcs)
      THEN coalesce(quarantined.reason, concat(
        format('%s is not a code of %s', asked.hcpcs, asked.release),
        '; the nearest are ' || (
          SELECT string_agg(near.hcpcs, ', ' ORDER BY alike DESC NULLS LAST, near.hcpcs) FROM (
            -- Those that begin alike come first.
            SELECT DISTINCT other.hcpcs, (
              SELECT sum(1.0 / 4 ^ place) FROM generate_series(1, 5) place
              WHERE substr(other.hcpcs, place, 1) = substr(asked.hcpcs, place, 1)) AS alike
            FROM cms.rvu other WHERE other.release = (SELECT release FROM asked)
            ORDER BY alike DESC NULLS LAST, other.hcpcs LIMIT 3) near)))
    WHEN asked.refusal IS NOT NULL THEN asked.refusal
    WHEN asked.doubt IS NULL AND 'cms.gpci' <> ALL (asked.missing_tables) AND NOT EXISTS (
      SELECT FROM cms.gpci known
      WHERE known.release = (SELECT release FROM asked)
        AND known.mac = asked.mac AND known.locality = asked.locality)
      THEN concat(
        format('%s is not a payment locality of %s; it is contractor and locality number, as 01112-05',
          asked.place, asked.release),
        '; the nearest are ' || (
          SELECT string_agg(near.place, ', ' ORDER BY near.place) FROM (
            SELECT known.mac || '-' || known.locality AS place FROM cms.gpci known
            WHERE known.release = (SELECT release FROM asked)
            ORDER BY (known.mac = asked.mac)::int + (known.locality = asked.locality)::int DESC,
              known.mac, known.locality LIMIT 3) near))
  END AS rivulet_refusal,
  -- For the receipt.
  r.description AS rivulet_description,
  concat_ws(', ', g.locality_name, g.state) AS rivulet_place,
  concat_ws(' to ', asked.effective_from, asked.effective_to) AS rivulet_effective,
  CASE r.cf_class WHEN 'qp' THEN 'qualifying participants' WHEN 'non_qp' THEN 'all others' END AS rivulet_class,
  concat(CASE WHEN p.nonfacility_amount < formula.nonfacility THEN 'the OPPS cap, which is less than ' END,
    formula.nonfacility_text) AS rivulet_nonfacility,
  concat(CASE WHEN p.facility_amount < formula.facility THEN 'the OPPS cap, which is less than ' END,
    formula.facility_text) AS rivulet_facility
FROM asked
LEFT JOIN cms.rvu r ON r.release = (SELECT release FROM asked)
  AND r.hcpcs = asked.hcpcs
  AND r.modifier = coalesce(asked.modifier, r.modifier)
  AND (asked.cf_class IS NULL OR r.cf_class = asked.cf_class
    OR r.cf_class = 'all' AND asked.cf_class IN ('qp', 'non_qp'))
LEFT JOIN LATERAL (
  -- A record that was rejected is not the same as none.
  SELECT format('%s was rejected in run %s, which published %s: rivulet rejects list %2$s says why',
    concat_ws('-', asked.hcpcs, nullif(asked.modifier, '')), run, asked.release) AS reason
  FROM (SELECT CASE WHEN r.hcpcs IS NULL THEN rivulet.rejected_in('cms-rvu', asked.release, 'pprrvu',
    jsonb_strip_nulls(jsonb_build_object('hcpcs', asked.hcpcs, 'modifier', asked.modifier))) END) rejected (run)
  WHERE run IS NOT NULL
) quarantined ON true
CROSS JOIN LATERAL (SELECT cms.paid_from_rvus(r.status_code, r.nonfac_total, r.fac_total) AS is_paid) status
LEFT JOIN mart.payment p ON p.release = (SELECT release FROM asked)
  AND p.cf_class = r.cf_class AND p.hcpcs = r.hcpcs AND p.modifier = r.modifier
  AND p.mac = asked.mac AND p.locality = asked.locality
LEFT JOIN cms.gpci g ON g.release = (SELECT release FROM asked)
  AND g.mac = asked.mac AND g.locality = asked.locality
CROSS JOIN LATERAL (
  SELECT
    cms.payment_amount(work.rvu, r.nonfac_pe_rvu, r.mp_rvu,
      g.work_gpci, g.pe_gpci, g.mp_gpci, r.conversion_factor) AS nonfacility,
    cms.payment_amount(work.rvu, r.fac_pe_rvu, r.mp_rvu,
      g.work_gpci, g.pe_gpci, g.mp_gpci, r.conversion_factor) AS facility,
    format(sum.text, work.rvu, g.work_gpci, r.nonfac_pe_rvu, g.pe_gpci, r.mp_rvu, g.mp_gpci,
      r.conversion_factor) AS nonfacility_text,
    format(sum.text, work.rvu, g.work_gpci, r.fac_pe_rvu, g.pe_gpci, r.mp_rvu, g.mp_gpci,
      r.conversion_factor) AS facility_text
  FROM (VALUES ('(work %s x %s + practice expense %s x %s + malpractice %s x %s) x $%s')) sum (text),
    LATERAL (SELECT cms.payable_work_rvu(r.release, r.work_rvu) AS rvu) work
) formula
LEFT JOIN LATERAL (
  -- From 2026 on the row of the others holds the factor of qualifying clinicians too.
  SELECT CASE WHEN r.cf_class = 'qp' AND a.cf_class = 'non_qp' THEN a.qp_conversion_factor
    ELSE a.conversion_factor END AS factor
  FROM cms.anesthesia_cf a
  WHERE a.release = (SELECT release FROM asked) AND a.mac = asked.mac AND a.locality = asked.locality
    AND a.cf_class IN (r.cf_class, CASE WHEN r.cf_class = 'qp' THEN 'non_qp' ELSE r.cf_class END)
  ORDER BY a.cf_class DESC  -- a row of the class itself goes first
  LIMIT 1
) anesthesia ON true
LEFT JOIN cms.opps_cap cap ON cap.release = (SELECT release FROM asked)
  AND cap.hcpcs = r.hcpcs AND cap.modifier = r.modifier
  AND cap.mac = asked.mac AND cap.locality = asked.locality
ORDER BY r.modifier, r.cf_class
