/** The letter as it is where nobody gives another one: its sentences, and where they stand. */

/** The sentences of a language. A template has them by `{{> name}}`; what they may hold themselves is in model.ts. */
export const english = {
  subject:
    '{{#passed}}v1 of the API is switched off: {{workspace}} still calls it{{/passed}}{{^passed}}{{workspace}}: v1 of the API is switched off on {{sunset}}{{/passed}}',
  hello: 'Hello,',
  intro:
    '{{#passed}}v1 of our API was switched off on {{sunset}} ({{sunsetTime}}). Calls of {{workspace}} that have not moved to v2 fail.{{/passed}}{{^passed}}v1 of our API is switched off on {{sunset}} ({{sunsetTime}}), {{days}} days from now. Calls of {{workspace}} that have not moved to v2 by then will fail.{{/passed}}',
  sinceDays: 'Calls of yours to v1 that we counted in the last 7 days: {{calls}}, the last one on {{last}}.',
  noCalls:
    'In the last 7 days we counted no call of yours to v1{{#last}}; the last one was on {{last}}. If it was a job that runs seldom, it has to move as well{{/last}}.',
  clientsTitle: 'What still calls v1',
  client: 'Client',
  unnamed: 'a client that gives no name that we can show',
  network: 'From',
  callsOfWeek: 'Calls in 7 days',
  lastCall: 'Last call',
  moreClients: '… and {{moreClients}} more.',
  changeTitle: 'What to change',
  headerChange: 'The key goes into another header: in place of {{v1Field}}: <key> send {{v2Field}}: {{v2Scheme}} <key>.',
  pathChange: 'The paths change like this. Method, parameters and bodies stay as they are, as far as v2 is published:',
  before: 'v1',
  after: 'v2',
  purpose: 'What it does',
  unlisted:
    'Of the calls counted above, {{calls}} were to paths below /v1 that are no endpoint of v1. What v2 has in place of them, its reference says.',
  errors: 'Errors of v2 may look different: go by the status, and not by the text.',
  codemodTitle: 'JavaScript and TypeScript',
  package: 'The command is in the package migrate-v2, which is in no public registry: ask us for it.',
  v1Base: 'ADDRESS',
  v1BaseMeans: 'In place of ADDRESS, write the address of v1 that your code calls today.',
  codemod: 'A program changes these calls in your source for you. The first command shows what it would do, the second one does it:',
  limitTitle: 'The limit of v2',
  limit: 'v2 counts by the hour, and for all keys of a workspace together. Your plan, {{plan}}, allows {{perHour}} calls an hour.',
  peak: 'The most that {{workspace}} made lately within 60 minutes would be {{peak}} calls, within 60 minutes from {{peakAt}}.',
  fits: 'That fits.',
  exceeds: 'That is more than the plan allows: calls beyond it are answered with 429.',
  depends: 'Whether that fits depends on how v2 counts an hour: leave some room.',
  polling: '{{endpoint}} is asked again and again: a webhook for {{event}} tells you in place of it.',
  brownoutTitle: 'Times at which v1 is off for a while',
  brownouts: 'So that nobody is surprised by the date, v1 refuses calls at these times:',
  brownout: '{{from}} to {{until}}, with status {{status}}',
  answer:
    '{{#replyTo}}Questions, or a date by which you will have moved? Write to {{replyTo}}.{{/replyTo}}{{^replyTo}}Questions, or a date by which you will have moved? Answer this mail.{{/replyTo}}',
} as const;

export const subjectTemplate = '{{> subject}}';

export const markdownTemplate = `{{> hello}}

{{> intro}}

{{#calls}}
{{> sinceDays}}
{{/calls}}
{{^calls}}
{{> noCalls}}
{{/calls}}

{{#hasClients}}
## {{> clientsTitle}}

{{#clients}}
- {{client}}{{^client}}{{> unnamed}}{{/client}}: {{> callsOfWeek}}: {{calls}}, {{> lastCall}}: {{last}}{{#networks}}, {{> network}}: {{networks}}{{/networks}}
{{/clients}}
{{#moreClients}}
- {{> moreClients}}
{{/moreClients}}

{{/hasClients}}
## {{> changeTitle}}

{{> headerChange}}

{{#hasEndpoints}}
{{> pathChange}}

| {{> before}} | {{> after}} | {{> purpose}} | {{> callsOfWeek}} | {{> lastCall}} |
| --- | --- | --- | --: | --- |
{{#endpoints}}
| {{v1}} | {{v2}} | {{purpose}} | {{calls}} | {{last}} |
{{/endpoints}}

{{/hasEndpoints}}
{{#unlisted}}
{{> unlisted}}

{{/unlisted}}
{{> errors}}

### {{> codemodTitle}}

{{> codemod}}

\`\`\`sh
{{command}} --v1-base {{> v1Base}} --dry-run
{{command}} --v1-base {{> v1Base}}
\`\`\`

{{> v1BaseMeans}} {{> package}}

{{#limits}}
## {{> limitTitle}}

{{> limit}}
{{#peak}}
{{> peak}}
{{/peak}}
{{#fits}}
{{> fits}}
{{/fits}}
{{#exceeds}}
{{> exceeds}}
{{/exceeds}}
{{#depends}}
{{> depends}}
{{/depends}}

{{/limits}}
{{#polling}}
- {{> polling}}
{{/polling}}

{{#hasBrownouts}}
## {{> brownoutTitle}}

{{> brownouts}}

{{#brownouts}}
- {{> brownout}}
{{/brownouts}}

{{/hasBrownouts}}
{{> answer}}
`;

const cell = 'style="border:1px solid #d0d7de;padding:6px 10px;text-align:left;vertical-align:top"';
const head = 'style="border:1px solid #d0d7de;padding:6px 10px;text-align:left;background-color:#f6f8fa"';
const grid = 'cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;font-size:14px;margin:0 0 16px"';
const code = 'style="background-color:#f6f8fa;padding:12px;font-family:Consolas,Menlo,monospace;font-size:13px;margin:0 0 16px"';
const title = 'style="font-size:17px;margin:24px 0 8px"';
const paragraph = 'style="margin:0 0 16px"';

/** Mail programs know tables and styles within tags, and little else. */
export const htmlTemplate = `<!doctype html>
<html lang="{{language}}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{{> subject}}</title>
</head>
<body style="margin:0;padding:0;background-color:#ffffff;color:#1f2328">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="680" cellpadding="0" cellspacing="0" border="0" style="max-width:680px;width:100%;font-family:Arial,Helvetica,sans-serif;font-size:15px;line-height:1.5"><tr><td>
<p ${paragraph}>{{> hello}}</p>
<p ${paragraph}>{{> intro}}</p>
{{#calls}}
<p ${paragraph}>{{> sinceDays}}</p>
{{/calls}}
{{^calls}}
<p ${paragraph}>{{> noCalls}}</p>
{{/calls}}
{{#hasClients}}
<h2 ${title}>{{> clientsTitle}}</h2>
<table ${grid}>
<tr><th ${head}>{{> client}}</th><th ${head}>{{> network}}</th><th ${head}>{{> callsOfWeek}}</th><th ${head}>{{> lastCall}}</th></tr>
{{#clients}}
<tr><td ${cell}>{{client}}{{^client}}{{> unnamed}}{{/client}}</td><td ${cell}>{{networks}}</td><td ${cell}>{{calls}}</td><td ${cell}>{{last}}</td></tr>
{{/clients}}
</table>
{{#moreClients}}
<p ${paragraph}>{{> moreClients}}</p>
{{/moreClients}}
{{/hasClients}}
<h2 ${title}>{{> changeTitle}}</h2>
<p ${paragraph}>{{> headerChange}}</p>
{{#hasEndpoints}}
<p ${paragraph}>{{> pathChange}}</p>
<table ${grid}>
<tr><th ${head}>{{> before}}</th><th ${head}>{{> after}}</th><th ${head}>{{> purpose}}</th><th ${head}>{{> callsOfWeek}}</th><th ${head}>{{> lastCall}}</th></tr>
{{#endpoints}}
<tr><td ${cell}>{{v1}}</td><td ${cell}>{{v2}}</td><td ${cell}>{{purpose}}</td><td ${cell}>{{calls}}</td><td ${cell}>{{last}}</td></tr>
{{/endpoints}}
</table>
{{/hasEndpoints}}
{{#unlisted}}
<p ${paragraph}>{{> unlisted}}</p>
{{/unlisted}}
<p ${paragraph}>{{> errors}}</p>
<h3 ${title}>{{> codemodTitle}}</h3>
<p ${paragraph}>{{> codemod}}</p>
<pre ${code}>{{command}} --v1-base {{> v1Base}} --dry-run
{{command}} --v1-base {{> v1Base}}</pre>
<p ${paragraph}>{{> v1BaseMeans}} {{> package}}</p>
{{#limits}}
<h2 ${title}>{{> limitTitle}}</h2>
<p ${paragraph}>{{> limit}}
{{#peak}}
{{> peak}}
{{/peak}}
{{#fits}}
{{> fits}}
{{/fits}}
{{#exceeds}}
{{> exceeds}}
{{/exceeds}}
{{#depends}}
{{> depends}}
{{/depends}}
</p>
{{/limits}}
{{#polling}}
<p ${paragraph}>{{> polling}}</p>
{{/polling}}
{{#hasBrownouts}}
<h2 ${title}>{{> brownoutTitle}}</h2>
<p ${paragraph}>{{> brownouts}}</p>
<table ${grid}>
{{#brownouts}}
<tr><td ${cell}>{{> brownout}}</td></tr>
{{/brownouts}}
</table>
{{/hasBrownouts}}
<p ${paragraph}>{{> answer}}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
