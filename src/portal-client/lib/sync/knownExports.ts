/**
 * What sources of users look like, as data: the fields of a user, the exports of directories, and words for states. A new
 * source is a new row of `knownExports`.
 */

/** A field of a user that a source may state. `blocked` is the opposite of `active`: yes means that the user is not active. */
export const sourceFields = [
  'email',
  'type',
  'firstName',
  'lastName',
  'roles',
  'organizationUnits',
  'active',
  'blocked',
] as const;

/** One of the fields of a user that a source may state. */
export type SourceField = (typeof sourceFields)[number];

/** Where each field stands in a record, the best place first. A dot leads into a record. */
export type Places = Readonly<Partial<Record<SourceField, readonly string[]>>>;

/** What an export looks like. */
export interface ExportFormat {
  readonly title: string;
  /** Names that a record has; of an inner list, at least one. A name in brackets is a part of a column's name. */
  readonly signature: readonly (string | readonly string[])[];
  readonly fields: Places;
  /** Sign-in names, which identify a user if they are email addresses and there is no other. */
  readonly login?: readonly string[];
  /** States in words of the directory's own, besides the common ones. */
  readonly active?: readonly string[];
  readonly inactive?: readonly string[];
  /** The first cell of a row that only explains the file. */
  readonly example?: RegExp;
}

const wordsIn = (text: string): readonly string[] =>
  text.split(/\s+/).map((word) => word.replaceAll('_', ' '));

/** The exports that are read without options. The first that fits a record is used. */
export const knownExports = {
  'entra-bulk': {
    title: 'Microsoft Entra ID bulk file',
    signature: ['[userPrincipalName]', '[accountEnabled]'],
    fields: {
      email: ['[userPrincipalName]'],
      firstName: ['[givenName]'],
      lastName: ['[surname]'],
      // The column asks "Block sign in (Yes/No)" in spite of its name.
      blocked: ['[accountEnabled]'],
    },
    example: /^(?:example|beispiel|exemple|ejemplo|esempio|voorbeeld|przykład|exemplo|例)\s*[:：]/i,
  },
  'active-directory': {
    title: 'Active Directory (Get-ADUser) export',
    signature: ['SamAccountName', ['Enabled', 'DistinguishedName']],
    fields: {
      email: ['mail', 'EmailAddress'],
      firstName: ['GivenName'],
      lastName: ['Surname', 'sn'],
      active: ['Enabled'],
    },
    login: ['UserPrincipalName'],
  },
  entra: {
    title: 'Microsoft Entra ID users (export or Graph) or Microsoft 365 users',
    signature: [
      ['userPrincipalName', 'mail'],
      ['accountEnabled', 'businessPhones', 'userType', 'Block credential'],
    ],
    fields: {
      email: ['mail'],
      firstName: ['givenName', 'First name'],
      lastName: ['surname', 'Last name'],
      active: ['accountEnabled'],
      blocked: ['Block credential'],
    },
    login: ['userPrincipalName'],
  },
  google: {
    title: 'Google Workspace users (export or Directory API)',
    signature: [
      ['Email Address [Required]', 'primaryEmail'],
      ['First Name [Required]', 'suspended', 'orgUnitPath', 'name.familyName'],
    ],
    fields: {
      email: ['Email Address [Required]', 'primaryEmail'],
      firstName: ['First Name [Required]', 'name.givenName'],
      lastName: ['Last Name [Required]', 'name.familyName'],
      organizationUnits: ['Org Unit Path [Required]', 'orgUnitPath'],
      active: ['Status [READ ONLY]'],
      blocked: ['suspended', 'archived'],
    },
  },
  okta: {
    title: 'Okta users (export or API)',
    signature: ['Status', ['Primary email', 'profile.login', 'profile.email']],
    fields: {
      email: ['Primary email', 'profile.email'],
      firstName: ['First name', 'profile.firstName'],
      lastName: ['Last name', 'profile.lastName'],
      active: ['Status'],
    },
    login: ['Username', 'profile.login'],
    active: wordsIn('provisioned recovery password_expired password_reset locked_out pending_user_action'),
    inactive: ['staged'],
  },
  keycloak: {
    title: 'Keycloak users',
    signature: ['username', 'enabled', ['createdTimestamp', 'emailVerified', 'realmRoles', 'totp']],
    fields: {
      email: ['email'],
      firstName: ['firstName'],
      lastName: ['lastName'],
      active: ['enabled'],
    },
    login: ['username'],
  },
  scim: {
    title: 'SCIM 2.0 users',
    signature: [['schemas', 'emails', 'name.familyName', 'name.givenName'], 'userName'],
    fields: {
      email: ['emails'],
      firstName: ['name.givenName'],
      lastName: ['name.familyName'],
      roles: ['roles'],
      active: ['active'],
    },
    login: ['userName'],
  },
} as const satisfies Readonly<Record<string, ExportFormat>>;

/** Name of a known export, for the option `source`. */
export type KnownExportName = keyof typeof knownExports;

/** The names of the known exports. */
export const knownExportNames = Object.keys(knownExports) as readonly KnownExportName[];

/** The format of a file with the names of our own fields. */
export const ownFormat: ExportFormat = {
  title: 'the fields of a user',
  signature: ['email'],
  fields: Object.fromEntries(
    sourceFields.filter((field) => field !== 'blocked').map((field) => [field, [field]]),
  ),
};

/** A name without case, spaces, `-` and `_`, in NFC. */
export const plainName = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_\u200b\ufeff-]/g, '');

/** The known export whose signature fits. `has` tells whether a record has a name. */
export const recognize = (has: (name: string) => boolean): ExportFormat | undefined =>
  Object.values<ExportFormat>(knownExports).find(({ signature }) =>
    signature.every((names) => [names].flat().some(has)),
  );

/** Words for states: yes and no in the languages of our labels, as spreadsheets write them, and the states of directories. */
const activeWords = wordsIn(`true yes y 1 on active enabled current employed
  ja j aktiv wahr oui actif active vrai sí si activo activa verdadero sì attivo attiva vero sim ativo ativa verdadeiro
  actief waar in_dienst tak aktywny aktywna prawda はい 有効 在職 예 네 활성 재직 是 启用 有效 在职 نعم نشط כן פעיל`);
const inactiveWords =
  wordsIn(`false no n 0 off inactive not_active disabled suspended deprovisioned deactivated terminated archived blocked
  deleted removed left departed resigned retired dismissed expired revoked former
  nein inaktiv nicht_aktiv gesperrt deaktiviert ausgeschieden ausgetreten gekündigt entlassen suspendiert beendet gelöscht
  archiviert abgelaufen falsch
  non inactif inactive désactivé désactivée suspendu suspendue bloqué bloquée parti partie licencié licenciée résilié
  terminé supprimé archivé faux
  inactivo inactiva desactivado desactivada suspendido suspendida bloqueado bloqueada baja de_baja dado_de_baja
  dada_de_baja cesado cesada despedido despedida deshabilitado eliminado falso
  inattivo inattiva disattivato disattivata disabilitato sospeso sospesa bloccato bloccata cessato cessata licenziato
  licenziata dimesso eliminato
  não nao inativo inativa desativado desativada desabilitado suspenso suspensa desligado desligada demitido demitida
  excluído
  nee inactief niet_actief gedeactiveerd uitgeschakeld geblokkeerd geschorst opgeschort uit_dienst ontslagen beëindigd
  verwijderd onwaar
  nie nieaktywny nieaktywna zawieszony zawieszona zablokowany zablokowana wyłączony wyłączona zwolniony zwolniona
  usunięty fałsz
  いいえ 無効 停止 停止中 退職 退職済み 削除済み 아니요 아니오 비활성 비활성화 정지 정지됨 퇴사 퇴직 차단
  否 停用 已停用 禁用 已禁用 无效 暂停 冻结 离职 已离职 终止 已删除
  لا معطل موقوف معلق محظور غير_نشط منتهي לא מושבת מושעה חסום לא_פעיל עזב`);

/** The form in which words for states are compared: `PASSWORD_EXPIRED` is `password expired`. */
export const stateWord = (text: string): string =>
  text
    .trim()
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ');

/** What words say about a state. `inactive` are further words for users who are not active; they win. */
export const stateWords = (
  format: Pick<ExportFormat, 'active' | 'inactive'>,
  inactive: readonly string[] = [],
): ReadonlyMap<string, boolean> =>
  new Map(
    [
      { words: [...activeWords, ...(format.active ?? [])], isActive: true },
      { words: [...inactiveWords, ...(format.inactive ?? []), ...inactive.map(stateWord)], isActive: false },
    ].flatMap(({ words, isActive }) => words.map((word) => [word, isActive] as const)),
  );

/** Names of columns that may say who has left, and of columns that may be meant as roles or units: to look at first. */
const stateName =
  /status|state$|activ|aktiv|attiv|enabled|disabled|suspend|block|lock|gesperrt|terminat|leav|left|exit|offboard|separation|last working day|austritt|resign|departure|departed|deletion|archiv|end ?date|ende?datum|kündigung|ausgetreten|uscita|cessazione|salida|baja|sortie|départ(?!ement)|expir|sperr|bloqu|bloccat|useraccountcontrol/i;
const accessName = /role|rolle|ruolo|unit|group|gruppe|member ?of|^type$|^ou$/i;

/** Words for states that may be a part of a name. */
const longWords = [...activeWords, ...inactiveWords].filter(({ length }) => length > 4);

const isStateName = (name: string): boolean =>
  stateName.test(name) || longWords.some((word) => stateWord(name).includes(word));

/** Puts skipped names in the order in which a reader should see them: states, roles and units, the rest. */
export const bySuspicion = (names: readonly string[]): readonly string[] => {
  const rank = (name: string) => (isStateName(name) ? 0 : accessName.test(name) ? 1 : 2);
  return names.toSorted((one, other) => rank(one) - rank(other));
};
