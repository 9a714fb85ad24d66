import type { CodeMails } from '../catalogue.ts'

export default {
  emailCode: {
    subject: '確認コード：{code}',
    heading: 'メールアドレスの確認',
    label: 'コード',
    lead: '{host}の「{eventType}」を予約するには、予約ページでこのコードを入力してください。10分間、1回だけ使えます。',
    footer: 'お心当たりがない場合は、このメールを無視してください。予約は行われていません。',
  },
  erasureCode: {
    subject: 'データ削除の確認コード：{code}',
    heading: 'データの削除',
    label: 'コード',
    lead: 'このコードを使うと、お使いのメールアドレスについてここに保存されている情報がすべて削除され、今後の予約はキャンセルされます。元に戻すことはできません。コードは10分間、1回だけ使えます。',
    footer: 'お心当たりがない場合は、このメールを無視してください。何も削除されていません。',
  },
} satisfies CodeMails
