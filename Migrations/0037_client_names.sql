-- What clients know: each source's tables and columns by their own names, with the rights of the reader. Which file a
-- row was loaded from is not theirs to see.

-- rivulet:up
CREATE VIEW api.users WITH (security_invoker = true) AS
  SELECT id, email, name, image, created_at, updated_at, deleted_at
  FROM rvutrack.app_user;
CREATE VIEW api.visits WITH (security_invoker = true) AS
  SELECT id, user_id, visit_date AS "date", visit_time AS "time", notes, is_no_show, sync_status, base_updated_at,
    created_at, updated_at, deleted_at
  FROM rvutrack.visit;
CREATE VIEW api.procedures WITH (security_invoker = true) AS
  SELECT id, visit_id, hcpcs, modifier, description, status_code, work_rvu, quantity, created_at, updated_at,
    deleted_at
  FROM rvutrack.procedure;
CREATE VIEW api.favorites WITH (security_invoker = true) AS
  SELECT user_id, hcpcs, position, created_at, updated_at
  FROM rvutrack.favorite;
CREATE VIEW api.providers WITH (security_invoker = true) AS
  SELECT user_id, name, created_at, updated_at
  FROM clara.provider;
CREATE VIEW api.patients WITH (security_invoker = true) AS
  SELECT id, user_id, parent_name, child_name, date_of_birth, gender, allergies, medications, past_conditions,
    challenges, nicknames, notes, created_at, updated_at, deleted_at
  FROM clara.patient;
CREATE VIEW api.conversations WITH (security_invoker = true) AS
  SELECT id, user_id, patient_id, title, created_at, updated_at, deleted_at
  FROM clara.conversation;
CREATE VIEW api.provider_review_requests WITH (security_invoker = true) AS
  SELECT id, user_id, conversation_id, conversation_title, child_name, child_age, child_dob, triage_outcome,
    conversation_messages, conversation_summary, follow_up_days, follow_up_hours, follow_up_minutes, status,
    provider_id, provider_name, response_type, provider_response, provider_urgency, responded_at, created_at,
    updated_at, deleted_at
  FROM clara.provider_review_request;
CREATE VIEW api.follow_up_messages WITH (security_invoker = true) AS
  SELECT id, conversation_id, user_id, message_content, is_from_user, sent_at AS "timestamp", is_read,
    follow_up_id, created_at, updated_at, deleted_at
  FROM clara.follow_up_message;
CREATE VIEW api.schedules WITH (security_invoker = true) AS
  SELECT id, starts_at AS "date", ends_at, specialty, provider, healthcare_plan, created_at, updated_at
  FROM oncall.schedule;
CREATE VIEW api.directory WITH (security_invoker = true) AS
  SELECT id, provider_name, specialty, phone_number, npi, created_at, updated_at
  FROM oncall.directory;
CREATE VIEW api.doula_profiles WITH (security_invoker = true) AS
  SELECT id, full_name, title, experience_summary, bio, photo_url, contact_email, phone, website, certifications,
    settings, created_at, updated_at
  FROM doula.doula_profile;
CREATE VIEW api.clients WITH (security_invoker = true) AS
  SELECT id, doula_id, name, contact, edd, status, notes, medical_notes, created_at, updated_at, deleted_at
  FROM doula.client;
CREATE VIEW api.birth_plans WITH (security_invoker = true) AS
  SELECT id, client_id, content, pdf_url, template_id, created_at, updated_at, deleted_at
  FROM doula.birth_plan;
CREATE VIEW api.recommendations WITH (security_invoker = true) AS
  SELECT id, client_id, content, attachments, created_at, updated_at, deleted_at
  FROM doula.recommendation;
CREATE VIEW api.templates WITH (security_invoker = true) AS
  SELECT id, doula_id, kind, name, content, created_at, updated_at
  FROM doula.template;
CREATE VIEW api.client_files WITH (security_invoker = true) AS
  SELECT client_id, slug, mime_type, bytes, storage_path, created_at, updated_at, deleted_at
  FROM doula.client_file;
CREATE VIEW api.public_links WITH (security_invoker = true) AS
  SELECT id, client_id, token_sha256, expires_at, disabled, created_at, updated_at
  FROM doula.public_link;
-- Both RVU Tracker and CCC call them users: the name is given to the one that came first.
CREATE VIEW api.ccc_users WITH (security_invoker = true) AS
  SELECT id, first_name, last_name, role, created_at, updated_at, deleted_at
  FROM ccc.app_user;
CREATE VIEW api.messages WITH (security_invoker = true) AS
  SELECT id, sender_id, recipient_id, content, encrypted_key, key_id, algorithm, encrypted_at, sent_at, status,
    attachments, created_at, updated_at, deleted_at
  FROM ccc.message;
CREATE VIEW api.secure_files WITH (security_invoker = true) AS
  SELECT id, url, metadata, key_id, created_at, updated_at, deleted_at
  FROM ccc.secure_file;
CREATE VIEW api.calls WITH (security_invoker = true) AS
  SELECT id, caller_id, callee_id, started_at, ended_at, outcome, created_at, updated_at
  FROM ccc.call;
CREATE VIEW api.emergencies WITH (security_invoker = true) AS
  SELECT id, reported_by, severity, opened_at, closed_at, status, created_at, updated_at
  FROM ccc.emergency;

GRANT SELECT ON api.providers, api.schedules, api.directory, api.secure_files TO authenticated;
GRANT SELECT, INSERT, UPDATE, DELETE ON
  api.users, api.visits, api.procedures, api.favorites, api.patients, api.conversations,
  api.provider_review_requests, api.follow_up_messages, api.doula_profiles, api.clients, api.birth_plans,
  api.recommendations, api.templates, api.client_files, api.public_links
  TO authenticated;
-- The same rights as on the tables.
GRANT SELECT, INSERT (id, first_name, last_name), UPDATE (first_name, last_name, updated_at, deleted_at)
  ON api.ccc_users TO authenticated;
GRANT SELECT, INSERT, DELETE, UPDATE (status, updated_at, deleted_at) ON api.messages TO authenticated;
GRANT SELECT, INSERT, UPDATE (ended_at, outcome, updated_at) ON api.calls TO authenticated;
GRANT SELECT, INSERT, UPDATE ON api.emergencies TO authenticated;

-- rivulet:down
DROP VIEW api.emergencies;
DROP VIEW api.calls;
DROP VIEW api.secure_files;
DROP VIEW api.messages;
DROP VIEW api.ccc_users;
DROP VIEW api.public_links;
DROP VIEW api.client_files;
DROP VIEW api.templates;
DROP VIEW api.recommendations;
DROP VIEW api.birth_plans;
DROP VIEW api.clients;
DROP VIEW api.doula_profiles;
DROP VIEW api.directory;
DROP VIEW api.schedules;
DROP VIEW api.follow_up_messages;
DROP VIEW api.provider_review_requests;
DROP VIEW api.conversations;
DROP VIEW api.patients;
DROP VIEW api.providers;
DROP VIEW api.favorites;
DROP VIEW api.procedures;
DROP VIEW api.visits;
DROP VIEW api.users;

-- rivulet:verify
SELECT 1 / (count(*) = 23)::int FROM pg_class
WHERE relnamespace = 'api'::regnamespace AND relkind = 'v' AND 'security_invoker=true' = ANY (reloptions);
