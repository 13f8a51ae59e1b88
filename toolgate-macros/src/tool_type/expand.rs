//! Writes `Argument` and `ToolOutput` for a checked type.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Attribute, Item, Type};

use super::check::Options;
use super::model::{Content, Direction, Member, ToolType, Variant};
use crate::expand::{bounds, cfgs, field};
use crate::model::{Bounds, FieldFacts};

/// What is known of the item also when it is wrong.
pub(super) struct Head {
    ident: Ident,
    generic: bool,
    direction: Direction,
    krate: TokenStream,
    cfgs: Vec<Attribute>,
}

impl Head {
    pub(super) fn of(item: &Item, options: &Options) -> Self {
        let (ident, generics, attributes) = match item {
            Item::Struct(item) => (item.ident.clone(), !item.generics.params.is_empty(), item.attrs.as_slice()),
            Item::Enum(item) => (item.ident.clone(), !item.generics.params.is_empty(), item.attrs.as_slice()),
            _ => (Ident::new("_", Span::call_site()), true, [].as_slice()),
        };
        Self {
            ident,
            generic: generics,
            direction: options.direction,
            krate: crate::check::facade(options.krate.as_ref()),
            cfgs: cfgs(attributes).into_iter().cloned().collect(),
        }
    }

    fn reads(&self) -> bool {
        self.direction != Direction::Result
    }

    fn tells(&self) -> bool {
        self.direction != Direction::Argument
    }

    fn wrap(&self, item: &Item, before: &TokenStream, content: &TokenStream) -> TokenStream {
        let Self { krate, cfgs, .. } = self;
        quote! {
            #before
            #item
            #(#cfgs)*
            #[allow(deprecated, unused_imports)]
            const _: () = {
                use #krate::__private::v1 as __toolgate;
                use __toolgate::ProbeForeign as _;
                #content
            };
        }
    }
}

/// The item with its mistakes and implementations that do nothing.
pub(super) fn fallback(head: &Head, item: &Item, errors: &TokenStream) -> TokenStream {
    if head.generic {
        return quote!(#errors #item);
    }
    let forms = Forms {
        parts: TokenStream::new(),
        input: quote!(__toolgate::Shape::Any),
        fields: quote! {
            const FIELDS: __toolgate::Option<&'static [__toolgate::Field]> =
                __toolgate::Option::Some(&[__toolgate::Field::whole(__toolgate::Shape::Any)]);
        },
        output: quote!(__toolgate::Shape::Any),
        read: quote!(__toolgate::Option::None),
        write: quote!(__toolgate::Result::Ok(__toolgate::Value::Null)),
    };
    head.wrap(item, errors, &implementations(head, &forms))
}

/// The item with its implementations.
pub(super) fn expand(head: &Head, item: &Item, tool_type: &ToolType) -> TokenStream {
    let mut parts = Parts { direction: head.direction, all: Vec::new() };
    let forms = match tool_type {
        ToolType::Newtype(inside) => newtype(&mut parts, &inside.0, &inside.1),
        ToolType::Struct(members) => object(head, &mut parts, members),
        ToolType::Words(variants) => words(head, variants),
        ToolType::Variants(variants) => variants_of(head, &mut parts, variants),
    };
    let all = &parts.all;
    let forms = Forms { parts: quote!(#(#all)*), ..forms };
    head.wrap(item, &TokenStream::new(), &implementations(head, &forms))
}

/// The pieces of the two implementations.
#[derive(Default)]
struct Forms {
    parts: TokenStream,
    /// Form as an argument.
    input: TokenStream,
    /// Its fields, where it is a struct.
    fields: TokenStream,
    /// Form as a result.
    output: TokenStream,
    /// From `node` and `reader` to `Option<Self>`.
    read: TokenStream,
    /// From `self` to `Result<Value, Error>`.
    write: TokenStream,
}

fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

fn implementations(head: &Head, forms: &Forms) -> TokenStream {
    let ident = &head.ident;
    let Forms { parts, input, fields, output, read, write } = forms;
    let (node, reader) = (local("node"), local("reader"));
    let argument = head.reads().then(|| {
        quote! {
            impl __toolgate::Argument for #ident {
                const SHAPE: __toolgate::Shape = #input;
                #fields
                #[allow(unused_variables)]
                fn read(
                    #node: &__toolgate::Node<'_>,
                    #reader: &mut __toolgate::Reader<'_>,
                ) -> __toolgate::Option<Self> {
                    #read
                }
            }
        }
    });
    let result = head.tells().then(|| {
        quote! {
            impl __toolgate::ToolOutput for #ident {
                const SHAPE: __toolgate::Shape = #output;
                fn into_value(self) -> __toolgate::Result<__toolgate::Value, __toolgate::Error> {
                    #write
                }
            }
        }
    });
    quote!(#parts #argument #result)
}

/// The constants that say how parts are read and told; each bound stands here, and only here.
struct Parts {
    direction: Direction,
    all: Vec<TokenStream>,
}

/// How one part is read (a `Param`) and told (a `Returned`).
struct Sides {
    input: TokenStream,
    output: TokenStream,
}

impl Parts {
    fn add(&mut self, ty: &Type) -> Sides {
        let constant = format_ident!("__TOOLGATE_PART_{}", self.all.len());
        let (kind, probe) = match self.direction {
            Direction::Both => (quote!(Part), quote_spanned!(ty.span()=> <__toolgate::Probe<#ty>>::PART.part())),
            Direction::Argument => {
                (quote!(Param), quote_spanned!(ty.span()=> <__toolgate::Probe<#ty>>::ARGUMENT.param()))
            }
            Direction::Result => {
                (quote!(Returned), quote_spanned!(ty.span()=> <__toolgate::Probe<#ty>>::RESULT.returned()))
            }
        };
        self.all.push(quote!(const #constant: __toolgate::#kind<#ty> = #probe;));
        match self.direction {
            Direction::Both => Sides { input: quote!(#constant.input), output: quote!(#constant.output) },
            _ => Sides { input: constant.to_token_stream(), output: constant.to_token_stream() },
        }
    }
}

fn newtype(parts: &mut Parts, ty: &Type, limits: &Bounds) -> Forms {
    let (node, reader) = (local("node"), local("reader"));
    let Sides { input, output } = parts.add(ty);
    let shape = |shape: TokenStream| {
        if limits.is_empty() {
            return shape;
        }
        let limits = bounds(limits);
        quote!(__toolgate::Shape::Bounded { inner: &#shape, bounds: #limits })
    };
    Forms {
        input: shape(quote!(#input.shape)),
        output: shape(quote!(#output.shape)),
        read: quote!((#input.read)(#reader, #node).map(Self)),
        write: quote!((#output.write)(self.0)),
        ..Forms::default()
    }
}

/// A shape that is looked at only when it is asked for, so that a type may hold itself.
fn named(head: &Head, shape: &TokenStream) -> TokenStream {
    let ident = &head.ident;
    quote! {
        __toolgate::Shape::Named {
            name: __toolgate::stringify!(#ident),
            id: __toolgate::TypeId::of::<#ident>,
            shape: || {
                const SHAPE: __toolgate::Shape = #shape;
                SHAPE
            },
        }
    }
}

/// Fields as constant data, for arguments and for results; and what reads and tells them.
struct Fields {
    input: Vec<TokenStream>,
    output: Vec<TokenStream>,
    /// `let part0 = ..;`, reading from `node`.
    takes: Vec<TokenStream>,
    /// `name: part0?`
    fills: Vec<TokenStream>,
    /// `name: part0`, in a pattern.
    binds: Vec<TokenStream>,
    /// `("name", (..)(part0))`
    tells: Vec<TokenStream>,
}

fn fields(parts: &mut Parts, members: &[Member], from: &Ident) -> Fields {
    let reader = local("reader");
    let mut all = Fields {
        input: Vec::new(),
        output: Vec::new(),
        takes: Vec::new(),
        fills: Vec::new(),
        binds: Vec::new(),
        tells: Vec::new(),
    };
    for (index, member) in members.iter().enumerate() {
        let Member { ident, name, ty, facts } = member;
        let Sides { input, output } = parts.add(ty);
        let part = local(&format!("part{index}"));
        all.input.push(field(name, facts, &input));
        // What a field is for is about arguments.
        let facts = FieldFacts { reason: false, resource: None, ..facts.clone() };
        all.output.push(field(name, &facts, &output));
        all.takes.push(quote!(let #part = (#input.field)(#reader, #from, #name);));
        all.fills.push(quote!(#ident: #part?));
        all.binds.push(quote!(#ident: #part));
        all.tells.push(quote!((#name, (#output.write)(#part))));
    }
    all
}

fn object(head: &Head, parts: &mut Parts, members: &[Member]) -> Forms {
    let (node, reader) = (local("node"), local("reader"));
    let Fields { input, output, takes, fills, binds, tells } = fields(parts, members, &node);
    if head.reads() {
        parts.all.push(quote!(const __TOOLGATE_FIELDS: &[__toolgate::Field] = &[#(#input),*];));
    }
    Forms {
        input: named(head, &quote!(__toolgate::Shape::Object(__TOOLGATE_FIELDS))),
        fields: quote! {
            const FIELDS: __toolgate::Option<&'static [__toolgate::Field]> =
                __toolgate::Option::Some(__TOOLGATE_FIELDS);
        },
        output: named(head, &quote!(__toolgate::Shape::Object(&[#(#output),*]))),
        read: quote! {
            #reader.object(#node)?;
            #(#takes)*
            __toolgate::Option::Some(Self { #(#fills),* })
        },
        write: quote! {
            let Self { #(#binds),* } = self;
            __toolgate::object_value([#(#tells),*])
        },
        ..Forms::default()
    }
}

fn choice(variant: &Variant) -> TokenStream {
    let (word, doc) = (&variant.word, variant.doc.expression(&quote!(__toolgate)));
    quote!(__toolgate::Choice { value: #word, doc: #doc })
}

fn words(head: &Head, variants: &[Variant]) -> Forms {
    let (node, reader) = (local("node"), local("reader"));
    let choices: Vec<TokenStream> = variants.iter().map(choice).collect();
    let shape = quote!(__toolgate::Shape::OneOf(&[#(#choices),*]));
    let words: Vec<&String> = variants.iter().map(|variant| &variant.word).collect();
    let idents: Vec<&Ident> = variants.iter().map(|variant| &variant.ident).collect();
    let indices = 0..variants.len();
    // Said once: each word that is said again is compiled again.
    let output = if head.reads() { quote!(<Self as __toolgate::Argument>::SHAPE) } else { shape.clone() };
    Forms {
        input: shape,
        output,
        read: quote! {
            match #reader.word(#node, &[#(#words),*])? {
                #(#indices => __toolgate::Option::Some(Self::#idents),)*
                _ => __toolgate::Option::None,
            }
        },
        write: quote! {
            __toolgate::Result::Ok(__toolgate::From::from(match self { #(Self::#idents => #words,)* }))
        },
        ..Forms::default()
    }
}

fn variants_of(head: &Head, parts: &mut Parts, variants: &[Variant]) -> Forms {
    let (node, reader, inner) = (local("node"), local("reader"), local("inner"));
    let words: Vec<&String> = variants.iter().map(|variant| &variant.word).collect();
    let (mut inputs, mut outputs, mut reads, mut writes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (index, variant) in variants.iter().enumerate() {
        let Variant { ident, word, doc, content } = variant;
        let doc = doc.expression(&quote!(__toolgate));
        let one = |shape: &TokenStream| quote!(__toolgate::Shape::Object(&[__toolgate::Field::new(#word, #doc, #shape, true)]));
        match content {
            Content::Nothing => {
                let choice = choice(variant);
                let shape = quote!(__toolgate::Shape::OneOf(&[#choice]));
                inputs.push(shape.clone());
                outputs.push(shape);
                reads.push(quote!(#index => __toolgate::Option::Some(Self::#ident),));
                writes.push(quote!(Self::#ident => __toolgate::Result::Ok(__toolgate::From::from(#word)),));
            }
            Content::One(ty) => {
                let Sides { input, output } = parts.add(ty);
                let part = local("part");
                inputs.push(one(&quote!(#input.shape)));
                outputs.push(one(&quote!(#output.shape)));
                reads.push(quote! {
                    #index => #reader.within_field(#word, |#reader| (#input.read)(#reader, #inner).map(Self::#ident)),
                });
                writes.push(quote! {
                    Self::#ident(#part) => __toolgate::object_value([(#word, (#output.write)(#part))]),
                });
            }
            Content::Fields(members) => {
                let Fields { input, output, takes, fills, binds, tells } = fields(parts, members, &inner);
                inputs.push(one(&quote!(__toolgate::Shape::Object(&[#(#input),*]))));
                outputs.push(one(&quote!(__toolgate::Shape::Object(&[#(#output),*]))));
                reads.push(quote! {
                    #index => #reader.within_field(#word, |#reader| {
                        #reader.object(#inner)?;
                        #(#takes)*
                        __toolgate::Option::Some(Self::#ident { #(#fills),* })
                    }),
                });
                writes.push(quote! {
                    Self::#ident { #(#binds),* } => {
                        __toolgate::object_value([(#word, __toolgate::object_value([#(#tells),*]))])
                    }
                });
            }
        }
    }
    Forms {
        input: named(head, &quote!(__toolgate::Shape::AnyOf(&[#(#inputs),*]))),
        output: named(head, &quote!(__toolgate::Shape::AnyOf(&[#(#outputs),*]))),
        read: quote! {
            let (#node, #inner) = #reader.variant(#node, &[#(#words),*])?;
            match #node {
                #(#reads)*
                _ => __toolgate::Option::None,
            }
        },
        write: quote!(match self { #(#writes)* }),
        ..Forms::default()
    }
}
