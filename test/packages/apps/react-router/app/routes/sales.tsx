import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { EmbeddedReport, embedKeyOptions } from '@vitrine/react';
import {
  type ActionFunctionArgs,
  Form,
  Link,
  type LoaderFunctionArgs,
  useLoaderData,
  useRevalidator,
} from 'react-router';
import { keys } from '../keys.server';

const notes: string[] = [];
let loads = 0;

export const headers = () => ({ 'cache-control': 'no-store' });

export const loader = async ({ request }: LoaderFunctionArgs) => {
  const queryClient = new QueryClient();
  await queryClient.prefetchQuery(
    embedKeyOptions(1042, {
      fetch: (path, init) =>
        keys(new Request(new URL(path instanceof Request ? path.url : path, request.url), init)),
    }),
  );
  loads += 1;
  return { state: dehydrate(queryClient), notes, loads };
};

export const action = async ({ request }: ActionFunctionArgs) => {
  const note = (await request.formData()).get('note');
  if (typeof note === 'string') notes.push(note);
  return null;
};

export default function Sales() {
  const { state, notes, loads } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  return (
    <HydrationBoundary state={state}>
      <p>
        Loaded <span id="loads">{loads}</span> times
      </p>
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <Form method="post">
        <input name="note" aria-label="Note" />
        <button type="submit">Save</button>
      </Form>
      <button type="button" onClick={() => void revalidate()}>
        Revalidate
      </button>
      <Link to="/about">About</Link>
      <EmbeddedReport itemId={1042} title="Sales by region" height={480} />
    </HydrationBoundary>
  );
}
