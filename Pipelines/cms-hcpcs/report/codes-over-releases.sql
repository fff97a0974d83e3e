/* rivulet report
title: Codes and modifiers over releases
description: "How many codes and modifiers each published release of HCPCS Level II has."
chart: lines
label: Release
values: [Codes, Modifiers]
order: 10
*/
SELECT r.release AS "Release", r.effective_from AS "In effect from",
  (SELECT count(*) FROM cms.hcpcs_code c WHERE c.release = r.release) AS "Codes",
  (SELECT count(*) FROM cms.hcpcs_modifier m WHERE m.release = r.release) AS "Modifiers"
FROM rivulet.release r WHERE r.pipeline = 'cms-hcpcs' AND r.state = 'published'
ORDER BY r.effective_from NULLS FIRST, r.release
