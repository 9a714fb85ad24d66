import type { MailTexts } from '../catalogue.ts'

export default {
  guest: {
    confirmed: {
      subject: '予約確定：{event}（{host}様）{when}',
      heading: 'ご予約が確定しました',
      lead: '{host}様とのミーティングが確定しました。カレンダー用の招待を添付しています。',
    },
    requested: {
      subject: 'リクエスト受付：{event}（{host}様）{when}',
      heading: 'リクエストを受け付けました',
      lead: 'この時間は仮押さえされていますが、まだ確定していません。{host}様から回答があり次第、ご連絡いたします。',
    },
    approved: {
      subject: '予約確定：{event}（{host}様）{when}',
      heading: 'リクエストが承認されました',
      lead: '{host}様がリクエストを承認しました。カレンダー用の招待を添付しています。',
    },
    linkAdded: {
      subject: '参加リンク：{event}（{host}様）{when}',
      heading: 'ミーティングのリンクをお送りします',
      lead: '{host}様とのミーティングには、下のリンクからご参加ください。添付の招待でカレンダーが更新されます。',
    },
    declined: {
      subject: 'ご希望に添えませんでした：{event}（{host}様）{when}',
      heading: 'リクエストは承認されませんでした',
      lead: '申し訳ございませんが、{host}様はこの時間のご都合がつきませんでした。よろしければ別の時間をお選びください。',
    },
    expired: {
      subject: '未確定：{event}（{host}様）{when}',
      heading: '期限までに回答がありませんでした',
      lead: '{host}様からの回答が間に合わなかったため、このミーティングは行われません。よろしければ別の時間をお選びください。',
    },
    cancelledByGuest: {
      subject: 'キャンセル：{event}（{host}様）{when}',
      heading: 'ご予約をキャンセルしました',
      lead: '{host}様とのミーティングのキャンセルを承りました。先方にもメールでお知らせしました。',
    },
    cancelledByHost: {
      subject: 'キャンセル：{event}（{host}様）{when}',
      heading: 'ミーティングがキャンセルされました',
      lead: '申し訳ございませんが、{host}様の都合によりこのミーティングはキャンセルされました。よろしければ別の時間をお選びください。',
    },
    cancelledByService: {
      subject: 'キャンセル：{event}（{host}様）{when}',
      heading: 'ミーティングがキャンセルされました',
      lead: '{host}様とのミーティングは行われません。よろしければ別の時間をお選びください。',
    },
    movedByGuest: {
      subject: '日時変更：{event}（{host}様）{when}',
      heading: '日時が変更されました',
      lead: '{host}様とのミーティングの日時変更を承りました。添付の招待でカレンダーが更新されます。',
    },
    movedByHost: {
      subject: '日時変更：{event}（{host}様）{when}',
      heading: '日時が変更されました',
      lead: '{host}様がミーティングの日時を変更しました。添付の招待でカレンダーが更新されます。新しい日時のご都合が悪い場合は、変更していただけます。',
    },
    moveRequested: {
      subject: '日時変更のリクエスト：{event}（{host}様）{when}',
      heading: '新しい日時をリクエストしました',
      lead: '新しい時間は仮押さえされていますが、{host}様の確認がまだ済んでいません。以前の日時は無効になりました。',
    },
    reassigned: {
      subject: '担当者変更：{event}（{host}様）{when}',
      heading: 'ミーティングの担当者が変わりました',
      lead: 'ミーティングの担当者が{host}様に変わりました。日時は変わりません。添付の招待でカレンダーが更新されます。',
    },
    requestReassigned: {
      subject: '担当者変更：{event}（{host}様）{when}',
      heading: 'リクエストの担当者が変わりました',
      lead: 'リクエストは{host}様が引き継ぎました。この時間は引き続き仮押さえされています。{host}様から返答があり次第、メールでお知らせします。',
    },
    reminder: {
      subject: 'リマインダー：{event}（{host}様）{when}',
      heading: 'まもなくミーティングのお時間です',
      lead: '{host}様とのミーティングについてのお知らせです。',
    },
  },
  addedGuest: {
    invited: {
      subject: 'ご招待：{host}との{event}（{when}）',
      heading: 'ミーティングへのご招待',
      lead: '{guest}さんが、{host}とのミーティングにあなたを追加しました。カレンダー用の招待状を添付しています。',
    },
    moved: {
      subject: '日時変更：{host}との{event}（{when}）',
      heading: 'ミーティングの日時が変わりました',
      lead: '{guest}さんがあなたを追加した{host}とのミーティングの日時が変更されました。添付の招待状でカレンダーが更新されます。',
    },
    reassigned: {
      subject: '担当者変更：{event}（{host}様）{when}',
      heading: 'ミーティングの担当者が変わりました',
      lead: '{guest}様があなたを追加したミーティングの担当者が{host}様に変わりました。日時は変わりません。添付の招待でカレンダーが更新されます。',
    },
    cancelled: {
      subject: 'キャンセル：{host}との{event}（{when}）',
      heading: 'ミーティングはキャンセルされました',
      lead: '{guest}さんがあなたを追加した{host}とのミーティングは、この日時には行われません。',
    },
  },
  host: {
    confirmed: {
      subject: '新しい予約：{event}（{guest}様）{when}',
      heading: '新しい予約が入りました',
      lead: '{guest}様がミーティングを予約しました。',
    },
    requested: {
      subject: '承認待ち：{event}（{guest}様）{when}',
      heading: '新しいリクエストがあります',
      lead: '{guest}様がミーティングを希望しています。承認または辞退をお選びください。それまで、この時間は仮押さえされます。',
    },
    approved: {
      subject: '予約確定：{event}（{guest}様）{when}',
      heading: 'リクエストを承認しました',
      lead: '{guest}様からのリクエストが承認され、ミーティングが確定しました。',
    },
    linkAdded: {
      subject: '参加リンク：{event}（{guest}様）{when}',
      heading: 'ミーティングのリンクをお送りします',
      lead: '{guest}様とのミーティングのリンクができました。相手の方にもメールでお送りしています。',
    },
    declined: {
      subject: '辞退：{event}（{guest}様）{when}',
      heading: 'リクエストを辞退しました',
      lead: '{guest}様からのリクエストは辞退されました。この時間は再び予約可能です。',
    },
    expired: {
      subject: '期限切れ：{event}（{guest}様）{when}',
      heading: 'リクエストの期限が切れました',
      lead: '{guest}様からのリクエストに期限までに回答がなかったため、自動的に辞退されました。先方にもメールでお知らせしました。',
    },
    cancelledByGuest: {
      subject: 'キャンセル：{event}（{guest}様）{when}',
      heading: 'ミーティングがキャンセルされました',
      lead: '{guest}様がこのミーティングをキャンセルしました。この時間は再び予約可能です。',
    },
    cancelledByHost: {
      subject: 'キャンセル：{event}（{guest}様）{when}',
      heading: 'ミーティングをキャンセルしました',
      lead: '{guest}様とのミーティングは主催者側でキャンセルされました。先方にもメールでお知らせしました。',
    },
    cancelledByService: {
      subject: 'キャンセル：{event}（{guest}様）{when}',
      heading: 'ミーティングがキャンセルされました',
      lead: '{guest}様とのミーティングは行われません。先方にもメールでお知らせしました。',
    },
    movedByGuest: {
      subject: '日時変更：{event}（{guest}様）{when}',
      heading: '日時が変更されました',
      lead: '{guest}様がミーティングの日時を変更しました。添付の招待でカレンダーが更新されます。',
    },
    movedByHost: {
      subject: '日時変更：{event}（{guest}様）{when}',
      heading: '日時を変更しました',
      lead: '{guest}様とのミーティングの日時は主催者側で変更されました。先方にもメールでお知らせしました。',
    },
    moveRequested: {
      subject: '承認待ち：{event}（{guest}様）の日時変更 {when}',
      heading: '新しい日時の承認をお願いします',
      lead: '{guest}様とのミーティングの日時変更が求められています。新しい日時の承認または辞退をお選びください。それまで、この時間は仮押さえされます。',
    },
    reassigned: {
      subject: '引き継ぎ：{event}（{guest}様）{when}',
      heading: 'ミーティングを引き継ぎました',
      lead: '{guest}様とのミーティングは、あなたが担当することになりました。先方にもメールでお知らせしました。',
    },
    requestReassigned: {
      subject: '承認待ち：{event}（{guest}様）{when}',
      heading: 'リクエストを引き継ぎました',
      lead: '{guest}様からのリクエストをあなたが引き継ぎました。承認または辞退をお選びください。それまで、この時間は仮押さえされます。',
    },
    reminder: {
      subject: 'リマインダー：{event}（{guest}様）{when}',
      heading: 'まもなくミーティングのお時間です',
      lead: '{guest}様とのミーティングについてのお知らせです。',
    },
  },
  formerHost: {
    subject: '担当変更：{event}（{guest}様）{when}',
    heading: 'ミーティングの担当者が変更されました',
    lead: '{guest}様とのミーティングは日時が変更され、{host}様が担当することになりました。この時間は再び予約可能です。',
  },
  handedOver: {
    subject: '担当変更：{event}（{guest}様）{when}',
    heading: 'ミーティングの担当者が変更されました',
    lead: '{guest}様とのミーティングは{host}様が担当することになりました。あなたのこの時間は空きました。',
  },
  coHost: {
    subject: '担当者変更：{event}（{guest}様）{when}',
    heading: 'ミーティングの担当者が変わりました',
    lead: '{guest}様とのミーティングは{host}様が担当します。',
  },
  guestLeft: {
    subject: 'ゲストが1名減りました：{event}（{guest}様）{when}',
    heading: 'ゲストが不参加になりました',
    lead: '{guest}様はこのミーティングに参加しなくなりました。ほかのゲストは引き続き参加します。',
  },
  lastGuestLeft: {
    subject: 'ゲストがいなくなりました：{event}（{guest}様）{when}',
    heading: 'ミーティングのゲストがいなくなりました',
    lead: '{guest}様はこのミーティングに参加しなくなり、ほかに予約した方もいません。この時間は再び空きました。',
  },
  label: {
    what: '内容',
    when: '日時',
    previously: '変更前',
    where: '場所',
    host: '主催者',
    guest: 'ゲスト',
    guests: '同席者',
    phone: '電話番号',
    notes: '備考',
    reason: 'メッセージ',
    dates: 'すべての日程',
    addToCalendar: 'カレンダーに追加',
    cancellation: 'キャンセル',
    payment: 'お支払い',
  },
  place: {
    InPerson: '対面',
    Phone: '電話',
    Video: 'ビデオ通話',
    Link: 'オンライン',
  },
  hostCalls: '電話：主催者からおかけします',
  linkFollows: 'ビデオ通話：リンクは後ほどメールでお送りします',
  addLink: 'ビデオ通話：リンクがまだありません。予約に追加すると、ゲストにメールで届きます。',
  linkMissing: {
    subject: 'リンクを追加してください：{event}（{guest}様）{when}',
    heading: 'ビデオ通話のリンクがまだありません',
    lead: '{guest}様とのビデオ通話が近づいていますが、まだ参加できません。予約にリンクを追加すると、ゲストにメールで届きます。',
  },
  cancelUntil: '{time}までキャンセルできます。',
  money: {
    paid: '{price}支払い済み',
    reserved: '{price}（リクエストへの回答まで仮押さえ）',
    charged: '{price}（承認により請求されます）',
    refund: '{price}を返金します。銀行によっては数日かかることがあります',
    kept: '返金はありません',
    released: 'カードには請求されません',
  },
  button: {
    unsubscribe: '配信を停止',
    manage: '変更・キャンセル',
    join: '参加する',
    answer: 'リクエストを確認する',
    open: '予約を開く',
    again: '別の時間を選ぶ',
  },
  answer: {
    yes: 'はい',
    no: 'いいえ',
  },
  footer: {
    form: 'このメールは、{scheduler}のフォームにお客様のメールアドレスが入力されたためお送りしています。',
    guest:
      'このメールは、お客様のメールアドレスで{scheduler}とのミーティングが予約されたためお送りしています。',
    addedGuest:
      'このメールは、{guest}さんが{scheduler}とのミーティングを予約する際にあなたのアドレスを入力したためお送りしています。',
    host: 'このメールは、このミーティングの主催者の方にお送りしています。',
  },
  pushTest: {
    heading: '通知がオンになりました',
    lead: '新しい予約はこのように表示されます。',
  },
  connectionLost: {
    subject: '{provider} のアカウント {account} を再接続してください',
    lead: '{provider} が {account} へのアクセスを許可しなくなりました。再接続されるまで、新しい予定の確認、予約の追加、会議リンクの作成ができません。すでに把握している予定の時間は引き続き予約できません。',
    button: '再接続する',
  },
} satisfies MailTexts
