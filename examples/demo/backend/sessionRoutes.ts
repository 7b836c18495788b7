import type { PortalTenant } from '@vitrine/portal';
import { json, Router } from 'express';
import { type Person, people } from './people.ts';
import type { Sessions } from './sessions.ts';

/** A summary of each report for the demo's page; the portal only has names. */
const summaries: Readonly<Record<string, string>> = {
  'Sales by region': 'Revenue, margin and units',
  'Operations board': 'Output, defects and downtime',
  'Order book': 'Every order of your regions',
  'Executive summary': 'The company on a few pages',
};

const summaryOf = ({ id, name, email, summary }: Person) => ({ id, name, email, summary });

/** Routes with the signed-in person, the one beside, all persons, and the reports. */
export const sessionRoutes = (sessions: Sessions, items: PortalTenant['items']): Router => {
  const describe = ([person, beside]: readonly Person[]) => ({
    person: person === undefined ? null : summaryOf(person),
    beside: beside === undefined ? null : summaryOf(beside),
    people: people.map(summaryOf),
    reports:
      person === undefined
        ? []
        : items.map(({ id, displayName }) => ({
            itemId: id,
            title: displayName,
            summary: summaries[displayName] ?? 'A report of the portal',
          })),
  });

  const router = Router();
  router.get('/', (req, res) => {
    res.set('cache-control', 'no-store').json(describe(sessions.people(req)));
  });
  router.post('/', json({ limit: '1kb' }), (req, res) => {
    const chosen = sessions.signIn(req, res, [req.body?.personId, req.body?.besideId]);
    res.status(chosen.length === 0 ? 400 : 200).json(describe(chosen));
  });
  router.delete('/', (req, res) => {
    sessions.signOut(req, res);
    res.json(describe([]));
  });
  return router;
};
