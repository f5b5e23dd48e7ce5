export const en = {
  'error.key': 'The header x-api-key is missing or wrong.',
  'help.send': 'Call POST /v1/messages/send with your key.',
  'help.docs': 'Read more on https://api.example.com/docs/v1/messages.',
};
