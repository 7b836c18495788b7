import type { ActionEvent } from '@vitrine/server/actions';

/** The host's own data about a region, which the portal does not have. */
export interface RegionCard {
  readonly region: string;
  readonly contact: string;
  readonly openOffers: number;
  readonly nextVisit: string;
}

const cards: Readonly<Record<string, Omit<RegionCard, 'region'>>> = {
  North: { contact: 'Key account desk, North', openOffers: 7, nextVisit: 'Tuesday, harbor office' },
  South: { contact: 'Key account desk, South', openOffers: 4, nextVisit: 'Thursday, valley depot' },
  East: { contact: 'Key account desk, East', openOffers: 11, nextVisit: 'Monday, river works' },
  West: { contact: 'Key account desk, West', openOffers: 2, nextVisit: 'Friday, coast branch' },
};

/** The cards of the regions that were selected. */
export const regionCards = ({ rows }: ActionEvent): readonly RegionCard[] => {
  const selected = new Set(rows.flatMap(({ identity }) => identity.map(({ value }) => value)));
  return Object.entries(cards).flatMap(([region, card]) =>
    selected.has(region) ? [{ region, ...card }] : [],
  );
};
