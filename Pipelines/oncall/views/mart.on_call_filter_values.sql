/* rivulet view
strategy: full
description: What a list of shifts can be narrowed down to
key: [filter, value]
grants: {authenticated: select}
*/
SELECT 'specialty' AS filter, specialty AS value, count(*) AS shifts FROM oncall.schedule GROUP BY specialty
UNION ALL
SELECT 'healthcare_plan', healthcare_plan, count(*) FROM oncall.schedule
WHERE healthcare_plan <> '' GROUP BY healthcare_plan
UNION ALL
SELECT 'provider', provider, count(*) FROM oncall.schedule GROUP BY provider
