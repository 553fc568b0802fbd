'use strict';

// Works on the queues of Azurite with Microsoft's own client:
//   node main.js BASE token QUEUE     prints a token with the right to add to the queue
//   node main.js BASE create QUEUE    makes the queue, and prints such a token
//   node main.js BASE read QUEUE      prints each message and removes it
// Prints one line of JSON for each token or message.

const {
  QueueSASPermissions,
  QueueServiceClient,
  StorageSharedKeyCredential,
  generateQueueSASQueryParameters,
} = require('@azure/storage-queue');

// The account that every Azurite has, and the key that its documentation prints.
const account = 'devstoreaccount1';
const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

const [, , base, operation, queueName] = process.argv;
const credential = new StorageSharedKeyCredential(account, key);
const queue = new QueueServiceClient(base, credential).getQueueClient(queueName);

function print(result) {
  process.stdout.write(JSON.stringify(result) + '\n');
}

async function create() {
  await queue.create();
  await token();
}

async function token() {
  const permissions = QueueSASPermissions.parse('a');
  const expiresOn = new Date(Date.now() + 3600 * 1000);
  print({ token: generateQueueSASQueryParameters({ queueName, permissions, expiresOn }, credential).toString() });
}

async function read() {
  const { receivedMessageItems } = await queue.receiveMessages({ numberOfMessages: 32 });
  for (const message of receivedMessageItems) {
    print({ id: message.messageId, text: message.messageText });
    await queue.deleteMessage(message.messageId, message.popReceipt);
  }
}

({ token, create, read })[operation]().catch((e) => {
  process.stderr.write(`${e.stack}\n`);
  process.exitCode = 1;
});
