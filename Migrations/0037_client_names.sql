-- What clients know: each source's tables by their own names, with the rights of whoever reads.

-- rivulet:up
CREATE VIEW api.visits WITH (security_invoker = true) AS SELECT * FROM rvutrack.visit;
CREATE VIEW api.procedures WITH (security_invoker = true) AS SELECT * FROM rvutrack.procedure;
CREATE VIEW api.favorites WITH (security_invoker = true) AS SELECT * FROM rvutrack.favorite;
CREATE VIEW api.patients WITH (security_invoker = true) AS SELECT * FROM clara.patient;
CREATE VIEW api.conversations WITH (security_invoker = true) AS SELECT * FROM clara.conversation;
CREATE VIEW api.provider_review_requests WITH (security_invoker = true) AS SELECT * FROM clara.provider_review_request;
CREATE VIEW api.follow_up_messages WITH (security_invoker = true) AS SELECT * FROM clara.follow_up_message;
CREATE VIEW api.schedules WITH (security_invoker = true) AS SELECT * FROM oncall.schedule;
CREATE VIEW api.directory WITH (security_invoker = true) AS SELECT * FROM oncall.directory;
CREATE VIEW api.doula_profiles WITH (security_invoker = true) AS SELECT * FROM doula.doula_profile;
CREATE VIEW api.clients WITH (security_invoker = true) AS SELECT * FROM doula.client;
CREATE VIEW api.birth_plans WITH (security_invoker = true) AS SELECT * FROM doula.birth_plan;
CREATE VIEW api.recommendations WITH (security_invoker = true) AS SELECT * FROM doula.recommendation;
CREATE VIEW api.templates WITH (security_invoker = true) AS SELECT * FROM doula.template;
CREATE VIEW api.client_files WITH (security_invoker = true) AS SELECT * FROM doula.client_file;
CREATE VIEW api.public_links WITH (security_invoker = true) AS SELECT * FROM doula.public_link;
CREATE VIEW api.messages WITH (security_invoker = true) AS SELECT * FROM ccc.message;
CREATE VIEW api.secure_files WITH (security_invoker = true) AS SELECT * FROM ccc.secure_file;
CREATE VIEW api.calls WITH (security_invoker = true) AS SELECT * FROM ccc.call;
CREATE VIEW api.emergencies WITH (security_invoker = true) AS SELECT * FROM ccc.emergency;

GRANT SELECT ON api.directory, api.schedules, api.secure_files TO authenticated;
GRANT SELECT, INSERT, UPDATE, DELETE ON api.visits, api.procedures, api.favorites, api.patients,
  api.conversations, api.provider_review_requests, api.follow_up_messages, api.doula_profiles, api.clients,
  api.birth_plans, api.recommendations, api.templates, api.client_files, api.public_links, api.messages,
  api.calls, api.emergencies TO authenticated;

-- rivulet:down
DROP VIEW api.emergencies;
DROP VIEW api.calls;
DROP VIEW api.secure_files;
DROP VIEW api.messages;
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
DROP VIEW api.favorites;
DROP VIEW api.procedures;
DROP VIEW api.visits;

-- rivulet:verify
SELECT 1 / (count(*) = 20)::int FROM pg_class
WHERE relnamespace = 'api'::regnamespace AND relkind = 'v' AND 'security_invoker=true' = ANY (reloptions);
