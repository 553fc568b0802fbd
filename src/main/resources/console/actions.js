// The fields of each kind of action, as the form shows them. What may stand in them the server says.

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const MESSAGE = { name: 'message', label: 'Message', kind: 'area' };
const PLACEHOLDERS = { name: 'placeholders', label: 'Replace placeholders such as {{scheduledAt}}', kind: 'tick' };
const BUS = [
  { name: 'namespace', label: 'Namespace' },
  { name: 'transportType', label: 'Transport', kind: 'choice', choices: ['', 'netMessaging', 'AMQP'] },
  { name: 'authentication.type', label: 'Authentication', kind: 'choice', choices: ['sharedAccessKey'] },
  { name: 'authentication.sasKeyName', label: 'Key name' },
  { name: 'authentication.sasKey', label: 'Key', kind: 'secret' },
  MESSAGE,
  { name: 'brokeredMessageProperties', label: 'Brokered message properties', kind: 'map' },
  { name: 'customMessageProperties', label: 'Custom message properties', kind: 'map' },
  PLACEHOLDERS,
];
const REQUEST = [
  { name: 'method', label: 'Method', kind: 'choice', choices: METHODS },
  { name: 'uri', label: 'URL', hint: 'https://example.org/hook', wide: true },
  { name: 'headers', label: 'Headers', kind: 'map' },
  { name: 'body', label: 'Body', kind: 'body' },
  PLACEHOLDERS,
];
const LENGTH = { name: 'maxLength', label: 'Longest', kind: 'number', hint: 'entries' };

/** Of each type of action: its name, the property that holds what to do, and the fields there. */
export const ACTIONS = {
  http: { label: 'HTTP call', payload: 'request', fields: REQUEST, start: { method: 'POST', uri: '' } },
  redisStream: {
    label: 'Redis stream', payload: 'redisStream', start: {},
    fields: [{ name: 'stream', label: 'Stream' }, LENGTH, MESSAGE, { name: 'fields', label: 'More fields', kind: 'map' }, PLACEHOLDERS],
  },
  redisList: {
    label: 'Redis list', payload: 'redisList', start: {},
    fields: [{ name: 'list', label: 'List' }, { name: 'side', label: 'Side', kind: 'choice', choices: ['', 'left', 'right'] }, LENGTH, MESSAGE, PLACEHOLDERS],
  },
  storageQueue: {
    label: 'Azure storage queue', payload: 'queueMessage', start: {},
    fields: [{ name: 'storageAccount', label: 'Storage account' }, { name: 'queueName', label: 'Queue' }, { name: 'sasToken', label: 'SAS token', kind: 'secret' }, MESSAGE, PLACEHOLDERS],
  },
  serviceBusQueue: {
    label: 'Service Bus queue', payload: 'serviceBusQueueMessage', start: { authentication: { type: 'sharedAccessKey' } },
    fields: [{ name: 'queueName', label: 'Queue' }, ...BUS],
  },
  serviceBusTopic: {
    label: 'Service Bus topic', payload: 'serviceBusTopicMessage', start: { authentication: { type: 'sharedAccessKey' } },
    fields: [{ name: 'topicPath', label: 'Topic' }, ...BUS],
  },
};

/** What the form calls a type: https is a call as http is, the scheme of the URL counts; what is stored keeps its word. */
export const kindOf = type => Object.keys(ACTIONS).find(one => one.toLowerCase() === String(type ?? '').toLowerCase().replace(/^https$/, 'http'));

/** How an HTTP call says who calls. */
export const AUTHENTICATIONS = {
  basic: { label: 'Basic', fields: [{ name: 'username', label: 'User' }, { name: 'password', label: 'Password', kind: 'secret' }] },
  bearer: { label: 'Bearer token', fields: [{ name: 'token', label: 'Token', kind: 'secret' }] },
  apiKey: {
    label: 'API key', fields: [{ name: 'name', label: 'Name' }, { name: 'value', label: 'Value', kind: 'secret' },
      { name: 'in', label: 'In', kind: 'choice', choices: ['', 'header', 'query'] }],
  },
  oauth2ClientCredentials: {
    label: 'OAuth 2 client credentials', fields: [{ name: 'tokenUrl', label: 'Token URL', hint: 'https://login.example.org/token', wide: true }, { name: 'clientId', label: 'Client id' },
      { name: 'clientSecret', label: 'Client secret', kind: 'secret' }, { name: 'scope', label: 'Scope' }, { name: 'audience', label: 'Audience' },
      { name: 'clientAuthentication', label: 'Client authentication', kind: 'choice', choices: ['', 'basic', 'post'] }],
  },
  clientCertificate: { label: 'Client certificate', fields: [{ name: 'pfx', label: 'PFX, base64', kind: 'secret' }, { name: 'password', label: 'Password', kind: 'secret' }] },
  activeDirectoryOAuth: {
    label: 'Azure AD OAuth', fields: [{ name: 'tenant', label: 'Tenant' }, { name: 'audience', label: 'Audience' },
      { name: 'clientId', label: 'Client id' }, { name: 'secret', label: 'Secret', kind: 'secret' }],
  },
};

const RETRIES = [{ name: 'retryInterval', label: 'Pause', kind: 'span', hint: '1 min' }, { name: 'retryCount', label: 'Retries', kind: 'number', hint: '5' }];
const GIVE_UP_ON = { name: 'giveUpOn', label: 'No retry after', kind: 'numbers', hint: '404, 4xx' };

/** What happens when an action fails. */
export const RETRY_POLICIES = {
  none: { label: 'No retry', fields: [] },
  fixed: { label: 'Fixed pause', fields: [...RETRIES, { name: 'retryMaxDuration', label: 'Give up after', kind: 'span', hint: '1 h' }, GIVE_UP_ON] },
  exponential: {
    label: 'Exponential backoff', fields: [...RETRIES, { name: 'retryFactor', label: 'Factor', kind: 'number', hint: '2' },
      { name: 'retryMaxInterval', label: 'Longest pause', kind: 'span', hint: '1 h' }, { name: 'retryJitter', label: 'Jitter', kind: 'number', hint: '0.2' },
      { name: 'retryMaxDuration', label: 'Give up after', kind: 'span', hint: '6 h' }, GIVE_UP_ON],
  },
};
