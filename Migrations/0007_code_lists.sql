-- What the publisher's indicators mean, in words of our own.

-- rivulet:up
CREATE TABLE cms.code_list (
  list text NOT NULL,
  code text NOT NULL,
  meaning text NOT NULL,
  CONSTRAINT code_list_key PRIMARY KEY (list, code)
);

COMMENT ON TABLE cms.code_list IS 'Code lists: what the indicators in the publisher''s files mean';
COMMENT ON COLUMN cms.code_list.list IS 'List, as status-code';
COMMENT ON COLUMN cms.code_list.code IS 'Indicator, as the files have it';
COMMENT ON COLUMN cms.code_list.meaning IS 'What it says, in short words; the publisher''s record layout is the authority';

-- rivulet:down
DROP TABLE cms.code_list;

-- rivulet:verify
SELECT list, code, meaning FROM cms.code_list WHERE false;

SELECT 1 / count(*) FROM pg_constraint
WHERE conrelid = 'cms.code_list'::regclass AND conname = 'code_list_key'
  AND pg_get_constraintdef(oid) = 'PRIMARY KEY (list, code)';
