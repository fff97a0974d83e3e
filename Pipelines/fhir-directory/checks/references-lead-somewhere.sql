-- What a record refers to by kind and identifier is in the directory, too. Those that do not are in directory.reference,
-- where is_there is false.
SELECT kind, source_id, path, reference, source_line FROM (
  SELECT 'PractitionerRole' AS kind, source_id, path, reference, source_line FROM {directory.practitioner_role_reference}
  UNION ALL SELECT 'HealthcareService' AS kind, source_id, path, reference, source_line FROM {directory.healthcare_service_reference}
  UNION ALL SELECT 'OrganizationAffiliation' AS kind, source_id, path, reference, source_line FROM {directory.organization_affiliation_reference}
  UNION ALL SELECT 'InsurancePlan' AS kind, source_id, path, reference, source_line FROM {directory.insurance_plan_reference}
  UNION ALL SELECT 'Organization' AS kind, source_id, path, reference, source_line FROM {directory.organization_reference}
  UNION ALL SELECT 'Organization' AS kind, source_id, path, reference, source_line FROM {directory.network_reference}
  UNION ALL SELECT 'Location' AS kind, source_id, path, reference, source_line FROM {directory.practice_location_reference}
  UNION ALL SELECT 'Endpoint' AS kind, source_id, path, reference, source_line FROM {directory.endpoint_reference}
  UNION ALL SELECT 'Practitioner' AS kind, source_id, path, reference, source_line FROM {directory.provider_reference}) every
WHERE reference IS NOT NULL AND reference NOT IN (
  SELECT 'PractitionerRole/' || source_id FROM {directory.practitioner_role}
  UNION ALL SELECT 'HealthcareService/' || source_id FROM {directory.healthcare_service}
  UNION ALL SELECT 'OrganizationAffiliation/' || source_id FROM {directory.organization_affiliation}
  UNION ALL SELECT 'InsurancePlan/' || source_id FROM {directory.insurance_plan}
  UNION ALL SELECT 'Organization/' || source_id FROM {directory.organization}
  UNION ALL SELECT 'Organization/' || source_id FROM {directory.network}
  UNION ALL SELECT 'Location/' || source_id FROM {directory.practice_location}
  UNION ALL SELECT 'Endpoint/' || source_id FROM {directory.endpoint}
  UNION ALL SELECT 'Practitioner/' || source_id FROM {directory.provider})
