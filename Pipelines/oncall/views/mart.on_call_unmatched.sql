/* rivulet view
strategy: live
description: Providers on the schedule whom the directory does not have under that name and specialty
grants: {authenticated: select}
*/
SELECT s.provider, s.specialty, count(*) AS shifts, min(s.starts_at) AS first_shift, max(s.starts_at) AS last_shift
FROM oncall.schedule s
WHERE NOT EXISTS (SELECT FROM oncall.directory d
  WHERE oncall.name_key(d.provider_name) = oncall.name_key(s.provider) AND oncall.plain(d.specialty) = oncall.plain(s.specialty))
GROUP BY s.provider, s.specialty
