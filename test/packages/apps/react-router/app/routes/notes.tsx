import { Form, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import Sales, { loader as loadSales } from './sales';

export { headers } from './sales';

let loads = 0;

export const loader = async (sent: LoaderFunctionArgs) => {
  loads += 1;
  return { ...(await loadSales(sent)), loads };
};

export const action = () => null;

/** The page of the guide, below elements that make React Router load it again. */
export default function Notes() {
  const { loads } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  return (
    <>
      <p>
        Loaded <span id="loads">{loads}</span> times
      </p>
      <Form method="post">
        <button type="submit">Save</button>
      </Form>
      <button type="button" onClick={() => void revalidate()}>
        Revalidate
      </button>
      <Sales />
    </>
  );
}
