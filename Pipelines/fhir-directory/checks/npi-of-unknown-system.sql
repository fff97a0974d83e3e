-- An identifier has the form of an NPI, its check digit too, and a system that is not known for one: one in ten numbers of
-- any kind that begin with 1 or 2 has that form by chance.
SELECT i.source_file_id, i.source_line FROM {directory.provider_identifier} i
JOIN {directory.provider} r USING (source_id)
WHERE directory.has_npi_form(i.identifier) AND i.identifier IS DISTINCT FROM r.npi::text
  AND lower(coalesce(i.kind, '')) NOT IN (
    'http://hl7.org/fhir/sid/us-npi', 'https://hl7.org/fhir/sid/us-npi', 'http://hl7.org/fhir/sid/us-npi/',
    'https://hl7.org/fhir/sid/us-npi/', 'http://www.hl7.org/fhir/sid/us-npi',
    'https://www.hl7.org/fhir/sid/us-npi', 'http://terminology.hl7.org/namingsystem/npi',
    'https://terminology.hl7.org/namingsystem/npi', 'http://terminology.hl7.org/namingsystem/npi/',
    'https://terminology.hl7.org/namingsystem/npi/', 'http://terminology.hl7.org/namingsystem/us-npi',
    'https://terminology.hl7.org/namingsystem/us-npi', 'urn:oid:2.16.840.1.113883.4.6',
    '2.16.840.1.113883.4.6')
  AND upper(coalesce(i.type_code, '')) <> 'NPI'
UNION ALL SELECT i.source_file_id, i.source_line FROM {directory.organization_identifier} i
JOIN {directory.organization} r USING (source_id)
WHERE directory.has_npi_form(i.identifier) AND i.identifier IS DISTINCT FROM r.npi::text
  AND lower(coalesce(i.kind, '')) NOT IN (
    'http://hl7.org/fhir/sid/us-npi', 'https://hl7.org/fhir/sid/us-npi', 'http://hl7.org/fhir/sid/us-npi/',
    'https://hl7.org/fhir/sid/us-npi/', 'http://www.hl7.org/fhir/sid/us-npi',
    'https://www.hl7.org/fhir/sid/us-npi', 'http://terminology.hl7.org/namingsystem/npi',
    'https://terminology.hl7.org/namingsystem/npi', 'http://terminology.hl7.org/namingsystem/npi/',
    'https://terminology.hl7.org/namingsystem/npi/', 'http://terminology.hl7.org/namingsystem/us-npi',
    'https://terminology.hl7.org/namingsystem/us-npi', 'urn:oid:2.16.840.1.113883.4.6',
    '2.16.840.1.113883.4.6')
  AND upper(coalesce(i.type_code, '')) <> 'NPI'
