import type { NoticeTexts } from '../catalogue.ts'

const notYou =
  'お心当たりがない場合は、プロフィールですべての端末からサインアウトし、見覚えのないパスキーを削除してください。'

export default {
  signIn: {
    subject: 'サインイン用リンク',
    heading: 'Punctualにサインイン',
    lead: 'このリンクは15分間、1回だけ使えます。',
    button: 'サインインページを開く',
    footer: 'お心当たりがない場合は、このメールを無視してください。',
  },
  invited: {
    subject: 'Punctualへの招待',
    heading: '招待が届いています',
    lead: '{inviter}さんからPunctualへの招待です。ボタンを押すとアカウントが作成されます。14日間、1回だけ使えます。',
    button: '招待を受ける',
    footer: '参加しない場合は、このメールを無視してください。',
  },
  invitedToTeam: {
    subject: '{team}への招待',
    heading: '招待が届いています',
    lead: '{inviter}さんからPunctualのチーム「{team}」への招待です。ボタンを押すとアカウントが作成されます。14日間、1回だけ使えます。',
    button: '招待を受ける',
    footer: '参加しない場合は、このメールを無視してください。',
  },
  invitedToSignIn: {
    subject: 'Punctualへの招待',
    heading: '招待が届いています',
    lead: '{inviter}さんからPunctualへの招待です。14日以内にこのメールアドレス（{email}）でサインインしてください。',
    button: 'サインインページを開く',
    footer: '参加しない場合は、このメールを無視してください。',
  },
  invitedToTeamToSignIn: {
    subject: '{team}への招待',
    heading: '招待が届いています',
    lead: '{inviter}さんからPunctualのチーム「{team}」への招待です。14日以内にこのメールアドレス（{email}）でサインインしてください。',
    button: 'サインインページを開く',
    footer: '参加しない場合は、このメールを無視してください。',
  },
  proveEmail: {
    subject: '新しいメールアドレスの確認',
    heading: '新しいメールアドレスの確認',
    lead: 'サインイン中の端末でこのリンクを開いてください。1時間、1回だけ使えます。',
    button: 'このアドレスを確認する',
    footer: 'お心当たりがない場合は、このメールを無視してください。',
  },
  emailChangeAsked: {
    subject: 'メールアドレスの変更について',
    heading: 'メールアドレスの変更について',
    lead: '今後{email}でサインインするよう変更が申し込まれました。そのアドレスが確認されるまで、何も変わりません。',
    button: 'プロフィールを開く',
    footer: 'お心当たりがない場合は、プロフィールですべての端末からサインアウトしてください。',
  },
  emailChanged: {
    subject: 'メールアドレスが変更されました',
    heading: 'メールアドレスが変更されました',
    lead: '今後は{email}でサインインします。このアドレスではサインインできなくなりました。',
    button: 'プロフィールを開く',
    footer: 'お心当たりがない場合は、このサービスの管理者にご相談ください。',
  },
  recoveryCodeUsed: {
    subject: 'リカバリーコードでサインインしました',
    heading: 'リカバリーコードでサインインしました',
    lead: 'このコードはもう使えません。残りのコードは{left}件です。パスキーをなくした場合は、それを削除して別のものを追加してください。',
    button: 'プロフィールを開く',
    footer: notYou,
  },
  oneRecoveryCodeLeft: {
    subject: 'リカバリーコードでサインインしました',
    heading: 'リカバリーコードでサインインしました',
    lead: 'このコードはもう使えません。残りのコードは1件です。パスキーをなくした場合は、それを削除して別のものを追加してください。',
    button: 'プロフィールを開く',
    footer: notYou,
  },
  passkeyAdded: {
    subject: 'アカウントにパスキーが追加されました',
    heading: 'アカウントにパスキーが追加されました',
    lead: 'メールのリンクを開いた後、「{name}」でサインインできるようになりました。',
    button: 'プロフィールを開く',
    footer: notYou,
  },
  passkeysRemoved: {
    subject: 'アカウントのパスキーがなくなりました',
    heading: 'アカウントのパスキーがなくなりました',
    lead: 'すべてのパスキーとリカバリーコードが削除されました。パスキーを追加するまで、メールのリンクだけでサインインできます。',
    button: 'プロフィールを開く',
    footer: 'お心当たりがない場合は、このサービスの管理者にお尋ねください。',
  },
  calendarFailed: {
    subject: 'カレンダー「{name}」を読み取れません',
    heading: 'カレンダーを読み取れません',
    lead: 'カレンダー「{name}」を1日以上読み取れていません。{reason}復旧するまで、新しい予定があっても空き時間として扱われ、ゲストがその時間を予約する可能性があります。',
    button: 'カレンダーを開く',
    footer: 'このカレンダーを接続した方にお送りしています。',
  },
  calendarDeleted: {
    subject: 'カレンダー「{name}」が見つかりません',
    heading: 'カレンダーが見つかりません',
    lead: 'カレンダー「{name}」は使えなくなりました。{reason}予約を追加する別のカレンダーを選んでください。それまで、予約のメールにはカレンダー用の招待が添付されます。すでに読み取った予定の時間は、引き続き空き時間から除かれます。',
    button: 'カレンダーを開く',
    footer: 'このカレンダーを接続した方にお送りしています。',
  },
  webhookDisabled: {
    subject: '{origin}へのWebhookがオフになりました',
    heading: 'Webhookがオフになりました',
    lead: '{origin}へのWebhookがオフになりました。{reason}もう一度オンにするまで、何も送信されません。その後、過去30日間に失敗したものを再送できます。',
    button: 'Webhookを開く',
    footer: 'このWebhookの所有者にお送りしています。',
  },
  paymentAccountLost: {
    subject: '決済アカウント{account}の再接続が必要です',
    heading: '決済アカウントを再接続してください',
    lead: 'Stripeが{account}のキーを受け付けなくなりました。アカウントを再接続するまで、ゲストは支払いができず、返金も保留されます。',
    button: '接続済みアカウントを開く',
    footer: 'このアカウントの所有者にお送りしています。',
  },
} satisfies NoticeTexts
