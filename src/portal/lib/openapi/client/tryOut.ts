/** The part of Swagger UI that this page uses; its bundle is a separate script. */
interface SwaggerUi {
  preauthorizeApiKey(scheme: string, value: string): void;
}
declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => SwaggerUi;

/** Signs in with the development key of the first tenant, so that the first request works. */
const signIn = async (ui: SwaggerUi): Promise<void> => {
  const answer = await fetch('/_control/tenants');
  const { items } = (await answer.json()) as { readonly items: readonly { readonly apiKey: string }[] };
  const apiKey = items[0]?.apiKey;
  if (apiKey === undefined || apiKey === '') return;
  ui.preauthorizeApiKey('bearer', apiKey);
  ui.preauthorizeApiKey('apiKey', `ApiKey ${apiKey}`);
};

const ui = SwaggerUIBundle({
  url: document.getElementById('api')?.dataset['document'],
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  // Shows for each endpoint and field whether the interface defines it.
  showExtensions: true,
  tryItOutEnabled: true,
  onComplete: () => void signIn(ui),
});

// Swagger UI's own switch is in its top bar, which this page omits.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();
