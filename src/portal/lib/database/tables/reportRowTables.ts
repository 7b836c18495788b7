export interface SalesRowsTable {
  dataset: string;
  id: number;
  /** First day of the month, `YYYY-MM`. */
  month: string;
  region: string;
  product: string;
  channel: string;
  /** Account manager: the value that USERNAME()-style rules compare with. */
  owner: string;
  units: number;
  revenue_cents: number;
  cost_cents: number;
}

export interface OperationRowsTable {
  dataset: string;
  id: number;
  /** `YYYY-MM-DD`. */
  day: string;
  site: string;
  line: string;
  produced: number;
  defects: number;
  downtime_minutes: number;
}

export interface OrderRowsTable {
  dataset: string;
  id: number;
  order_number: string;
  ordered_on: string;
  customer: string;
  region: string;
  product: string;
  owner: string;
  status: string;
  quantity: number;
  amount_cents: number;
}
