/** The options that set a field of the portal. */
const optionsByField: Readonly<Record<string, readonly string[]>> = {
  actionType: ['--action'],
  code: ['--code'],
  dateRange: ['--from', '--to'],
  description: ['--description'],
  directoryGroupId: ['--directory-group'],
  displayName: ['--name'],
  email: ['--email'],
  firstName: ['--first-name'],
  lastName: ['--last-name'],
  name: ['--name'],
  organizationUnits: ['--ou'],
  parentId: ['--parent'],
  reportId: ['--report'],
  roles: ['--role'],
  type: ['--type'],
  userId: ['--user'],
  workspaceId: ['--workspace'],
};

/** The option that set a field of the portal, such as `--first-name`; the field itself if the command line has none. */
export const fieldOption = (field: string, options: Readonly<Record<string, unknown>>): string => {
  const name = /^\w+/.exec(field)?.[0] ?? '';
  const known = Object.hasOwn(optionsByField, name) ? (optionsByField[name] ?? []) : [];
  const given = known.filter((flag) => options[attributeOf(flag)] !== undefined);
  return given.length === 0 ? field : given.join(', ');
};

/** The name of a flag in the options: `firstName` for `--first-name`. */
const attributeOf = (flag: string): string =>
  flag.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
