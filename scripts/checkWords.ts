/**
 * Fails on retired terms, constructions that are not idiomatic English, and British spellings, in the path and the text of
 * every text file of the repository, also inside names. Each rule is a pattern and a replacement.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface Rule {
  pattern: RegExp;
  instead: string;
}

/** Terms with a better-known equivalent. */
const terms: readonly Rule[] = [
  { pattern: /key[- ]?keeper|keeperOf|KeyKeeper/i, instead: 'KeySession, createKeySession, getKeySession' },
  { pattern: /\blookAround\b|\blookFor\b/, instead: 'subscribe, runChecks' },
  { pattern: /livingFrame/i, instead: 'FrameEntry' },
  { pattern: /\bHeldKey\b|\bbornAt\b|\bendsAt\b/, instead: 'ActiveKey, issuedAt, expiresAt' },
  { pattern: /\burgentPauseMs\b|\bcalmPauseMs\b/, instead: 'maxForegroundDelayMs, maxBackgroundDelayMs' },
  { pattern: /\bisVerdict\b|\bverdicts?\b/i, instead: 'final, isFinal' },
  { pattern: /\bcreateTurns\b/, instead: 'createSemaphore' },
  { pattern: /\bsteadyTime\b|\bcreateSteadyTime\b/i, instead: 'monotonicNow' },
  { pattern: /churn ?map/i, instead: 'an LRU map' },
  { pattern: /\bkeyTrail\b/i, instead: 'requestContext' },
  { pattern: /\btoRefusal\b|\banswerRefusal\b/, instead: 'toKeyRequestError, problemFieldsOf' },
  { pattern: /UpstreamGuard/, instead: 'createCircuitBreaker' },
  { pattern: /\breadyKey\b/, instead: 'issuedKey' },
  { pattern: /\bReportNews\b|\bnews\b/i, instead: 'Diagnostic, onDiagnostic' },
  { pattern: /\bset ?aside\b|\bmoved? ?aside\b/i, instead: 'quarantine' },
  { pattern: /\bkeyId\b/, instead: 'cacheKey' },
  {
    pattern: /\bjudge[A-Z]|\bjudge\(|\b(const|let|function) (judge|life|beat|tend)\b/,
    instead: 'what it does: checkResponse',
  },
  { pattern: /\bTableLook\b/, instead: 'TableLayout' },
  { pattern: /\btakeHome\b|\bspillWhileAway\b|comes home/, instead: 'importSpilled, spillWhenUnavailable' },
  { pattern: /\bkeyFilter\b/, instead: 'bloomFilter' },
  { pattern: /\bwaitBefore\b/, instead: 'sleep or delay' },
  { pattern: /\bspoil(ed|t|s|ers?)?\b/i, instead: 'broken' },
  { pattern: /\bmend(ed|s|ing)?\b/i, instead: 'fix, fixed' },
  { pattern: /wanted state|\bin step with\b/i, instead: 'desired state, synced with' },
  {
    pattern: /\b(const|let|function) (hear|tell)\b|\.(hear|tell)\(/,
    instead: 'the event: onMessage, notifyHost',
  },
  { pattern: /\bbeside\b/i, instead: 'next to, alongside, besides' },
];

/** Constructions that a native speaker would write another way. */
const constructions: readonly Rule[] = [
  {
    pattern: /(?<!there )\b(is|are|was|were) no (?!longer|more|other|later|earlier|less|reason|need)\w/i,
    instead: 'is not a number, is not valid',
  },
  {
    pattern:
      /(?<!there )\b(be|holds?|has) no (number|boolean|text|array|object|portal|json|url|valid|plain)\b/i,
    instead: 'is not a number, is not valid',
  },
  { pattern: /\bcosts? no\b|\b(gives?|gave) no (?!reason)\w/i, instead: 'does not affect, returns no …' },
  { pattern: /refuses what (is|has)/i, instead: 'rejects a value that is not …' },
  { pattern: /speaks? no\b/i, instead: "doesn't use …" },
  { pattern: /^\W*what (spilled|spills|is spoiled)|\bwhat spilled\b/i, instead: 'spilled deliveries' },
  {
    pattern: /hears? of none|nobody (can be|waits)|calls under way|end in peace/i,
    instead: 'in-flight calls finish',
  },
  { pattern: /\bcannot be had\b/i, instead: 'could not load' },
  { pattern: /goes to sleep|put to sleep/i, instead: 'is suspended' },
  { pattern: /lets? (somebody|nobody) in\b/i, instead: 'grants access' },
  { pattern: /See it proven|The house\b|More than a frame/, instead: 'Run the tests, Packages, Features' },
  { pattern: /For those who change it/, instead: 'For contributors' },
  { pattern: /\bwhoever\b/i, instead: 'a concrete subject: the operator, the caller' },
  { pattern: /\bwhat (became|becomes) of\b/i, instead: 'the result of …' },
  {
    pattern:
      /\/\*\* What (\{@link|.*\b(works? with|is (made of|built from|called with|given|known|left)|needs?)\b)/,
    instead: 'the role: options of …, dependencies of …',
  },
  { pattern: /\bhears? of\b/i, instead: 'receives, is called for' },
  { pattern: /\btakes? note of\b/i, instead: 'records' },
  { pattern: /\bso many\b/i, instead: 'a number of, at most n' },
  { pattern: /\bfor ever\b/i, instead: 'forever, indefinitely' },
  { pattern: /\bunder way\b/i, instead: 'in-flight, running' },
  { pattern: /\bon (its|the|their) way\b/i, instead: 'in transit, in flight' },
  { pattern: /\bas (it|they) (came|come)\b/i, instead: 'unchanged' },
  { pattern: /\bat present\b|\bpresent moment\b/i, instead: 'currently, the current time' },
  { pattern: /\bbefall/i, instead: 'affects, applies to' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\b(is|are|was|be) left alone\b/i, instead: 'stays unchanged, is skipped' },
  { pattern: /\bhand(s|ed)? in\b(?! hand)/i, instead: 'pass' },
  { pattern: /\bno longer than is\b|\bas long as that is so\b/i, instead: 'while' },
  { pattern: /\b(that|which|what) (is|are) none\b/i, instead: 'an invalid …' },
  {
    pattern: /(?<!there )\b(is|are) none\W*$|(?<!there )\b(is|are) none\b(?=[,.;:)'"`])/i,
    instead: 'is not a …',
  },
  { pattern: /\b(is|are|be) told from\b/i, instead: 'is distinguished from' },
  { pattern: /\b(is|are|be) not to be had\b/i, instead: 'is not available' },
  { pattern: /\bfor ever\b|\bin vain\b/i, instead: 'forever, without success' },
  { pattern: /\bhea(rs?|rd) of\b/i, instead: 'is notified, receives' },
  { pattern: /\bkeys?\b.*\bin sight\b|\bkeys?\b.*\bat hand\b/i, instead: 'visible, available' },
  { pattern: /\bsays? so\b/i, instead: 'reports it, mentions it, the value itself' },
  { pattern: /\bgiven a pause\b/i, instead: 'circuit open, not called for 4 s' },
  { pattern: /\b(its|their) own undo\b/i, instead: 'returns a function that unsubscribes' },
  { pattern: /\bsees? to it\b/i, instead: 'three safeguards' },
  { pattern: /\b(did|does|do) not come to\b/i, instead: 'not checked' },
  { pattern: /\bthe way to the\b|\bway leads\b/i, instead: 'the connection to …, the request flow' },
  { pattern: /\bset up\. Ask\b/i, instead: "isn't configured correctly. Contact your administrator." },
  { pattern: /\bwho do(es)? not see it\b/i, instead: 'accessible name' },
  { pattern: /\banswer(s|ed)? (with )?[1-5]\d\d\b/i, instead: 'responds with 404' },
  { pattern: /\bany more\b(?=\W*$|[.,;:)'"`])/i, instead: 'no longer, anymore' },
  { pattern: /\bgoes on\b/i, instead: 'continues' },
  { pattern: /\bsigns? (itself|themselves)\b/i, instead: 'is self-signed' },
  { pattern: /\blets? go of\b/i, instead: 'releases' },
  { pattern: /\bnothing watches over\b|\bmade by hand, which\b/i, instead: 'without …, hand-written' },
  {
    pattern: /^\s*(it|test|describe)(\.\w+)*(\([^'"`]*\))?\(\s*['"`](what|who|whoever|whatever) /,
    instead: 'a title with a noun as its subject, or a verb',
  },
];

/** References that only the authors can look up. */
const references: readonly Rule[] = [
  { pattern: /\(B\d{1,2}\)|['"`]B\d{1,2}(, B\d{1,2})*: /, instead: 'the regression in words' },
  {
    pattern: /^(?!.*x.provenance).*(?<!\[)\binterface \d(\.\d)?\b/i,
    instead: 'docs/interface.md#4.6, with the number of the section',
  },
];

/** British spellings. A CSV file may have the column "E-Mail" or "organisationunits", and `aria-labelledby` is a standard. */
const spellings: readonly Rule[] = [
  { pattern: /(behavi|col|fav|flav|harb|hon|lab|neighb)our/i, instead: 'behavior, color, favor, honor, …' },
  {
    pattern:
      /(author|custom|emphas|final|general|initial|maxim|minim|normal|optim|organ|priorit|random|recogn|serial|special|summar|synchron|util|visual)is(e[drs]?\b|ing|ation(?! ?units?\b))/i,
    instead: 'normalize, recognize, organization, …',
  },
  { pattern: /(cancel|model|signal|travel)l(ed|ing)|labell(ed|ing)(?!by)/i, instead: 'canceled, labeled, …' },
  { pattern: /licence|defence|offence/i, instead: 'license, defense, offense' },
  { pattern: /centre|theatre|catalogue|judgement|acknowledgement/i, instead: 'center, catalog, judgment, …' },
  {
    pattern: /\b(grey|(mis)?spelt|learnt|afterwards|analys(e|ed|ing))\b/i,
    instead: 'gray, spelled, afterward, analyze',
  },
  { pattern: /\b(e-mail|E-mail|E-MAIL)(?! address of the user \(<EMAIL>\))/, instead: 'email' },
];

const rules = [...terms, ...constructions, ...references, ...spellings];
const isText = (file: string) =>
  /\.(ts|tsx|cts|mts|cjs|mjs|js|jsx|md|mdx|css|html|json|yml|yaml|conf)$/.test(file);
const isExempt = (file: string) =>
  /^(docs\/interface\.md|package-lock\.json|scripts\/checkWords\.ts|test\/scripts\/checkWords\.test\.ts)$/.test(
    file,
  ) || /package-lock\.json$|CHANGELOG\.md$/.test(file);

/** Separates the words of names: `isMended` and `is-mended` become `is Mended` and `is mended`. */
const splitNames = (text: string): string => text.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=\w)[-_](?=\w)/g, ' ');

/** Finds a line that may break a rule in a whole text, so that few texts are read line by line. */
const anyRules = ['m', 'im'].map((flags) => {
  const some = rules.filter(({ pattern }) => pattern.ignoreCase === flags.includes('i'));
  return new RegExp(some.map(({ pattern }) => `(?:${pattern.source})`).join('|'), flags);
});

/** Every hit in one file's text. Pure, so that a test can try it on samples. */
export const findRetiredWords = (text: string): { line: number; found: string; instead: string }[] => {
  const splitText = splitNames(text);
  if (!anyRules.some((pattern) => pattern.test(text) || pattern.test(splitText))) return [];
  const splitLines = splitText.split('\n');
  return text.split('\n').flatMap((content, index) =>
    rules.flatMap(({ pattern, instead }) => {
      const found = (pattern.exec(content) ?? pattern.exec(splitLines[index] ?? ''))?.[0];
      return found === undefined ? [] : [{ line: index + 1, found, instead }];
    }),
  );
};

if (import.meta.main) {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => isText(file) && !isExempt(file));
  // The path is line 0.
  const hits = files.flatMap((file) =>
    findRetiredWords(`${file}\n${readFileSync(file, 'utf8')}`).map(
      ({ line, found, instead }) => `${file}:${line - 1}: "${found}": write ${instead}`,
    ),
  );
  for (const hit of hits) process.stdout.write(`${hit}\n`);
  process.stdout.write(
    `${hits.length === 0 ? 'No retired words' : `${hits.length} retired words`} in ${files.length} files.\n`,
  );
  process.exit(hits.length === 0 ? 0 : 1);
}
