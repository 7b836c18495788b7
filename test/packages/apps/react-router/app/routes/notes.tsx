import {
  type ActionFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  useLoaderData,
  useRevalidator,
} from 'react-router';
import Sales, { loader as loadSales } from './sales';

export { headers } from './sales';

const notes: string[] = [];
let loads = 0;

export const loader = async (sent: LoaderFunctionArgs) => {
  loads += 1;
  return { ...(await loadSales(sent)), notes, loads };
};

export const action = async ({ request }: ActionFunctionArgs) => {
  const note = (await request.formData()).get('note');
  if (typeof note === 'string') notes.push(note);
  return null;
};

/** The page of the guide, below elements that make React Router load it again. */
export default function Notes() {
  const { notes, loads } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  return (
    <>
      <p>
        Loaded <span id="loads">{loads}</span> times
      </p>
      <p>{notes.join()}</p>
      <Form method="post">
        <input name="note" aria-label="Note" />
        <button type="submit">Save</button>
      </Form>
      <button type="button" onClick={() => void revalidate()}>
        Revalidate
      </button>
      <Sales />
    </>
  );
}
